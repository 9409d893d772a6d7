/**
 * Gives pieces of work one turn of the event loop each, in the order in which they asked. Between two of them, the
 * requests of all others go on. One instance serves the process, because its event loop is one.
 */
export class LoopTurns {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when the turn has come. The work that follows may take a few milliseconds, and must not wait. */
  take(): Promise<void> {
    this.last = this.last.then(() => new Promise((turn) => setImmediate(turn)));
    return this.last;
  }
}
