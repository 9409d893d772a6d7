/** npm forwards a SIGINT that the process has already received from the terminal. Within this time it counts once. */
const SAME_KEYSTROKE = 500;

let requestedAt: number | undefined;
/**
 * What the first signal does. Until the process has something to finish, it exits at once: with 0, or with 1 for a
 * command that has not done the work it was started for (`maintain --once`).
 */
let stopInOrder = (): void => process.exit(process.argv.includes('--once') ? 1 : 0);

// Entry points import this file first, and it listens from then on: the first process of a container ignores a signal
// without a listener, and loading the other files takes longer than anything else at the start.
process.on('SIGTERM', requestStop);
process.on('SIGINT', requestStop);
if (process.channel !== undefined) {
  process.once('disconnect', () => {
    if (requestedAt === undefined) requestStop();
  });
  // The channel only reports the parent's end; it must not keep this process alive.
  process.channel.unref();
}

function requestStop(): void {
  const now = performance.now();
  if (requestedAt === undefined) {
    requestedAt = now;
    stopInOrder();
  } else if (now - requestedAt > SAME_KEYSTROKE) {
    process.exit(1);
  }
}

/**
 * Calls `stop` once on SIGTERM, SIGINT, or when the parent that opened an IPC channel has ended. A second signal ends
 * the process at once.
 */
export function onStopSignal(stop: () => void): void {
  stopInOrder = stop;
}
