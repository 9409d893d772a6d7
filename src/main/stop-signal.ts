/**
 * Calls back once when the process is asked to end: SIGTERM, SIGINT, or the end of the parent that started it with
 * a channel. A second signal ends it at once.
 */
export function whenAskedToStop(stop: () => void): void {
  let asked = false;
  const ask = (): void => {
    if (asked) process.exit(1);
    asked = true;
    stop();
  };
  process.on('SIGTERM', ask);
  process.on('SIGINT', ask);
  if (process.channel === undefined) return;
  process.once('disconnect', () => {
    if (!asked) ask();
  });
  // The channel is there to tell of the parent's end; it must not keep this process alive.
  process.channel.unref();
}
