/** npm forwards a SIGINT that the process has already received from the terminal. Within this time it counts once. */
const SAME_KEYSTROKE = 500;

/**
 * Calls `stop` once on SIGTERM, SIGINT, or when the parent that opened an IPC channel has ended. A second signal ends
 * the process at once.
 */
export function onStopSignal(stop: () => void): void {
  let requestedAt: number | undefined;
  const ask = (): void => {
    const now = performance.now();
    if (requestedAt === undefined) {
      requestedAt = now;
      stop();
    } else if (now - requestedAt > SAME_KEYSTROKE) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', ask);
  process.on('SIGINT', ask);
  if (process.channel === undefined) return;
  process.once('disconnect', () => {
    if (requestedAt === undefined) ask();
  });
  // The channel only reports the parent's end; it must not keep this process alive.
  process.channel.unref();
}
