/**
 * Counts the requests that are being handled. A connection does not tell: one whose caller has gone is closed, and what
 * was asked for on it goes on.
 */
export class RequestsUnderWay {
  #count = 0;
  #givenUp = false;
  readonly #waiting: (() => void)[] = [];

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#release();
  }

  /** Resolves when none is left, or they were given up. */
  async ended(): Promise<void> {
    if (this.#count === 0 || this.#givenUp) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Nobody waits for them any more. */
  giveUp(): void {
    this.#givenUp = true;
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
