/** npm hands on a terminal's SIGINT that the process has had from the terminal itself (milliseconds). */
const SAME_KEYSTROKE = 500;

/**
 * Calls back once when the process is asked to end: SIGTERM, SIGINT, or the end of the parent that started it with
 * a channel. A second signal ends it at once.
 */
export function whenAskedToStop(stop: () => void): void {
  let askedAt: number | undefined;
  const ask = (): void => {
    const now = performance.now();
    if (askedAt === undefined) {
      askedAt = now;
      stop();
    } else if (now - askedAt > SAME_KEYSTROKE) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', ask);
  process.on('SIGINT', ask);
  if (process.channel === undefined) return;
  process.once('disconnect', () => {
    if (askedAt === undefined) ask();
  });
  // The channel is there to tell of the parent's end; it must not keep this process alive.
  process.channel.unref();
}
