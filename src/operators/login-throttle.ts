import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { addressBlock } from './address-block';

/** Guesses at one account that are evaluated in a window, whoever makes them. */
export const ACCOUNT_ATTEMPTS = 10;
/** Failures from one address in a window; higher, because an office shares one. */
export const ADDRESS_FAILURES = 100;
const WINDOW_SECONDS = 15 * 60;

/** Bounds how many passwords can be guessed. A window that is full empties by itself: nobody is locked out for good. */
export interface LoginThrottle {
  /**
   * Counts an attempt before the password is looked at, so that concurrent guesses cannot slip past the bound.
   *
   * @throws TollgateError login_throttled with the seconds to wait
   */
  attempt(email: string, ip: string): Promise<void>;
  /** Takes the attempt back when the password was right. */
  succeeded(email: string, ip: string): Promise<void>;
}

/**
 * @param windowSeconds how long attempts count; the default is 15 minutes
 */
export function createLoginThrottle(database: Database, windowSeconds = WINDOW_SECONDS): LoginThrottle {
  const limiter = (keyPrefix: string, points: number): RateLimiterPostgres =>
    new RateLimiterPostgres({
      storeClient: database,
      storeType: 'knex',
      schemaName: 'tollgate',
      tableName: 'login_throttle',
      // Migrations make the table; the running service's role may not.
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration: windowSeconds,
      // A flood beyond the bound is answered from memory and does not reach the database.
      inMemoryBlockOnConsumed: points + 1,
    });
  const accounts = limiter('account', ACCOUNT_ATTEMPTS);
  const addresses = limiter('address', ADDRESS_FAILURES);
  return {
    async attempt(email, ip) {
      await consume(addresses, addressBlock(ip));
      await consume(accounts, accountKey(email));
    },
    async succeeded(email, ip) {
      await Promise.all([accounts.delete(accountKey(email)), addresses.reward(addressBlock(ip), 1)]);
    },
  };
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
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

/** A hash, because what a stranger types into the form need not be kept. */
function accountKey(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}
