import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { lowerCase } from '../domain/letter-case';

/** Counts attempts by key in Postgres, across all processes. A full window empties automatically. */
export type AttemptCounter = RateLimiterPostgres;

/** @param points attempts allowed per window */
export function createAttemptCounter(
  database: Database,
  keyPrefix: string,
  { points, windowSeconds }: { points: number; windowSeconds: number },
): AttemptCounter {
  return new RateLimiterPostgres({
    storeClient: database,
    storeType: 'knex',
    schemaName: 'tollgate',
    tableName: 'login_throttle',
    // Migrations create the table; the running service's role may not.
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration: windowSeconds,
    // A flood beyond the limit is answered from memory and does not reach the database.
    inMemoryBlockOnConsumed: points + 1,
  });
}

/** @throws TollgateError login_throttled with the seconds to wait */
export async function countAttempt(counter: AttemptCounter, key: string): Promise<void> {
  try {
    await counter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new TollgateError(
      'login_throttled',
      `There were too many attempts. Try again in ${seconds} seconds.`,
      { retryAfter: seconds },
    );
  }
}

/** Gives an attempt back. A key that it had filled, together with concurrent ones, is open again in this process. */
export async function refundAttempt(counter: AttemptCounter, key: string): Promise<void> {
  await counter.reward(key, 1);
  // For all keys: one that is still full is blocked again by its next attempt.
  counter.deleteInMemoryBlockedAll();
}

/** Returns a hash, because input from an unauthenticated form is not stored. */
export function hashedKey(text: string): string {
  return createHash('sha256').update(lowerCase(text)).digest('base64url');
}
