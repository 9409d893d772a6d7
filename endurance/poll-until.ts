import { setTimeout as pause } from 'node:timers/promises';

/** Guards against waiting forever. */
const TIMEOUT_MS = 15 * 60_000;

/**
 * Polls twice a second until `look` returns a value.
 *
 * @throws Error after `TIMEOUT_MS`
 */
export async function pollUntil<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error('It has not ended.');
    await pause(500);
  }
}
