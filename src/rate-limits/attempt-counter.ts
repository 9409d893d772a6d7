import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { systemClock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { countInWords } from '../domain/count-in-words';
import { TollgateError } from '../domain/errors';
import { lowerCase } from '../domain/letter-case';
import { uncountAttempt } from './attempt-store';

/** Counts attempts by key in Postgres, across all processes. A full window empties automatically. */
export interface AttemptCounter {
  database: Database;
  limiter: RateLimiterPostgres;
}

/** @param points attempts allowed per window */
export function createAttemptCounter(
  database: Database,
  keyPrefix: string,
  { points, windowSeconds }: { points: number; windowSeconds: number },
): AttemptCounter {
  const limiter = new RateLimiterPostgres({
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
  return { database, limiter };
}

/** @throws TollgateError login_throttled with the seconds to wait */
export async function countAttempt(counter: AttemptCounter, key: string): Promise<void> {
  try {
    await counter.limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    // What was answered from memory was not counted.
    if (refusal.consumedPoints > 0) await uncountRefused(counter, key, refusal);
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new TollgateError(
      'login_throttled',
      `There were too many attempts. Try again in ${countInWords(seconds, 'second')}.`,
      { retryAfter: seconds },
    );
  }
}

/**
 * Takes a refused attempt out of the window in which it was counted, but not out of a later one. The window then holds
 * only attempts that were admitted: it is open again if they succeed, and full if they fail.
 */
async function uncountRefused(
  { database, limiter }: AttemptCounter,
  key: string,
  { msBeforeNext }: RateLimiterRes,
): Promise<void> {
  // By the clock of the limiter, which is the system's.
  const windowEnd = systemClock.now() + msBeforeNext;
  const points = await uncountAttempt(database, limiter.getKey(key), windowEnd);
  // The others were refunded before this refusal closed the window in memory.
  if (points !== undefined && points < limiter.points) limiter.deleteInMemoryBlockedAll();
}

/**
 * Counts an attempt by each of these, in order. If one refuses it, it does not stay counted by those before, because
 * nothing was tried: who waits as long as the refusal says would otherwise be refused again.
 *
 * @throws TollgateError login_throttled with the seconds to wait
 */
export async function countAttempts(counts: readonly [AttemptCounter, string][]): Promise<void> {
  for (const [place, [counter, key]] of counts.entries()) {
    try {
      await countAttempt(counter, key);
    } catch (refusal) {
      await refundAttempts(counts.slice(0, place));
      throw refusal;
    }
  }
}

/** Gives an attempt back to each of these. */
export async function refundAttempts(counts: readonly [AttemptCounter, string][]): Promise<void> {
  await Promise.all(counts.map(([counter, key]) => refundAttempt(counter, key)));
}

/** Gives an attempt back. A key that it had filled, together with concurrent ones, is open again in this process. */
export async function refundAttempt({ limiter }: AttemptCounter, key: string): Promise<void> {
  await limiter.reward(key, 1);
  // For all keys: one that is still full is blocked again by its next attempt.
  limiter.deleteInMemoryBlockedAll();
}

/** Returns a hash, because input from an unauthenticated form is not stored. */
export function hashedKey(text: string): string {
  return createHash('sha256').update(lowerCase(text)).digest('base64url');
}
