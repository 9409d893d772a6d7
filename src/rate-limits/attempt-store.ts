import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';

/**
 * Takes an attempt out of the window of a key that ends by an instant.
 *
 * @returns the attempts that are left in it; undefined if there is no such window, or no attempt in it
 */
export async function uncountAttempt(
  database: Database,
  key: string,
  windowEnd: Instant,
): Promise<number | undefined> {
  const { rows } = await database.raw<{ rows: { points: number }[] }>(
    `UPDATE tollgate.login_throttle SET points = points - 1
      WHERE key = :key AND points > 0 AND expire <= :windowEnd RETURNING points`,
    { key, windowEnd },
  );
  return rows[0]?.points;
}
