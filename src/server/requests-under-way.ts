/**
 * Counts the requests being handled. Connections do not show this: if a caller disconnects, its connection is closed,
 * but its request continues.
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

  /** Resolves once none remain, or they were given up. */
  async ended(): Promise<void> {
    if (this.#count === 0 || this.#givenUp) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Stops waiting for the remaining requests. */
  giveUp(): void {
    this.#givenUp = true;
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
