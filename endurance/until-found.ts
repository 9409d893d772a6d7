import { setTimeout as pause } from 'node:timers/promises';

/** So long it may take (milliseconds); a guard against waiting for ever. */
const PATIENCE = 15 * 60_000;

/** @throws Error when it takes longer than `PATIENCE` */
export async function untilFound<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error('It has not ended.');
    await pause(500);
  }
}
