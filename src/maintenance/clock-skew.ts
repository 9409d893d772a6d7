import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { MINUTE_MS, type Instant } from '../domain/instant';
import { readPostgresClock } from './postgres-clock-store';

/** Up to this skew the service keeps its promises (docs/deployment.md). */
const MAX_SKEW_MS = 5 * MINUTE_MS;

/**
 * Returns the time by which rows expire, unless this machine's clock and that of Postgres disagree: what a wrong clock
 * deleted would be lost.
 *
 * @throws Error that names both times if they differ by more than five minutes
 */
export async function timeUnlessSkewed(database: Database, clock: Clock): Promise<Instant> {
  const asked = clock.now();
  const there = await readPostgresClock(database);
  const now = clock.now();
  // Postgres read its clock at an instant between the two.
  if (there < asked - MAX_SKEW_MS || there > now + MAX_SKEW_MS) {
    throw new Error(
      `Nothing was deleted and no partition was created, because the clocks differ by more than five minutes: it is ${new Date(now).toISOString()} on this machine, and ${new Date(there).toISOString()} where Postgres runs. Correct the clock that is wrong.`,
    );
  }
  return now;
}
