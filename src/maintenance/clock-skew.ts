import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { MINUTE_MS, type Instant } from '../domain/instant';
import { readPostgresClock } from './postgres-clock-store';

/** Up to this difference the service keeps its promises (docs/deployment.md). */
const MOST_MS = 5 * MINUTE_MS;

/**
 * Returns the time by which rows expire. What a wrong clock deleted would be lost.
 *
 * @throws Error that names both times if this machine's clock and Postgres's differ by more than five minutes
 */
export async function timeInStep(database: Database, clock: Clock): Promise<Instant> {
  const asked = clock.now();
  const there = await readPostgresClock(database);
  const now = clock.now();
  // Postgres read its clock at an instant between the two.
  if (there < asked - MOST_MS || there > now + MOST_MS) {
    throw new Error(
      `Nothing was deleted, because the clocks differ by more than five minutes: it is ${new Date(now).toISOString()} on this machine, and ${new Date(there).toISOString()} where Postgres runs. Correct the clock that is wrong.`,
    );
  }
  return now;
}
