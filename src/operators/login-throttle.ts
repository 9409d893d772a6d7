import type { Database } from '../db/pools';
import { isTollgateError } from '../domain/errors';
import {
  countAttempt,
  createAttemptCounter,
  hashedKey,
  type AttemptCounter,
} from '../rate-limits/attempt-counter';
import { ipPrefix } from './ip-prefix';

/** Guesses at one account that are evaluated in a window: from one address, from a known device, or by a session. */
export const ACCOUNT_ATTEMPTS = 10;
/** Failures at one account from all unknown devices. */
const UNKNOWN_FAILURES = 100;
/**
 * Failures from one address in a window, and what was malformed; higher, because an office shares one. A known device
 * behind such an address has as many of its own.
 */
export const ADDRESS_FAILURES = 100;
const WINDOW_SECONDS = 15 * 60;

/** Who guesses, as far as it is known before the password is looked at. */
export interface Attempt {
  email: string;
  ip: string;
  /** What proves more than an address: a device that has logged in to the account, or a session of it. */
  known?: { kind: 'device' | 'session'; id: string } | undefined;
}

/** What a request was charged before it was read. */
export interface Charge {
  /** `device`: its address has used up what it may, and a known device was let through. */
  of: 'address' | 'device';
  takeBack(): Promise<void>;
}

/** Bounds how many passwords can be guessed. A full window empties by itself, so no account is locked permanently. */
export interface LoginThrottle {
  /**
   * Charges a request's address before anything of the request is read, so that what is malformed costs as much as a
   * wrong guess.
   *
   * @param knownDevice asked when the address has used up what it may: the id of the device, where it is known
   * @throws TollgateError login_throttled with the seconds to wait
   */
  admit(ip: string, knownDevice: () => Promise<string | undefined>): Promise<Charge>;
  /** The same for who comes with an invitation's token, which they may be guessing. */
  admitInvited(ip: string): Promise<Charge>;
  /**
   * Counts an attempt before the password is looked at, so that concurrent guesses cannot slip past the bound. A
   * known device or session has a counter of its own: others' guesses do not lock it out.
   *
   * @throws TollgateError login_throttled with the seconds to wait
   */
  attempt(attempt: Attempt): Promise<void>;
  /** Takes the attempt back when the password was right. */
  succeeded(attempt: Attempt): Promise<void>;
}

/**
 * @param windowSeconds how long attempts count; the default is 15 minutes
 */
export function createLoginThrottle(database: Database, windowSeconds = WINDOW_SECONDS): LoginThrottle {
  const limiter = (keyPrefix: string, points: number): AttemptCounter =>
    createAttemptCounter(database, keyPrefix, { points, windowSeconds });
  const limiters = {
    address: limiter('address', ADDRESS_FAILURES),
    device: limiter('device', ADDRESS_FAILURES),
    invitation: limiter('invitation', ADDRESS_FAILURES),
    pair: limiter('pair', ACCOUNT_ATTEMPTS),
    account: limiter('account', UNKNOWN_FAILURES),
    known: limiter('known', ACCOUNT_ATTEMPTS),
  };
  const countsOf = ({ email, ip, known }: Attempt): [AttemptCounter, string][] => {
    if (known !== undefined) return [[limiters.known, hashedKey(`${known.kind} ${known.id} ${email}`)]];
    return [
      // Before the account, so that one address cannot use up what all of them have together.
      [limiters.pair, hashedKey(`${ipPrefix(ip)} ${email}`)],
      [limiters.account, hashedKey(email)],
    ];
  };
  const charge = async (of: Charge['of'], counter: AttemptCounter, key: string): Promise<Charge> => {
    await countAttempt(counter, key);
    return {
      of,
      takeBack: async () => {
        await counter.reward(key, 1);
      },
    };
  };
  return {
    async admit(ip, knownDevice) {
      try {
        return await charge('address', limiters.address, ipPrefix(ip));
      } catch (refusal) {
        const device = isTollgateError(refusal) ? await knownDevice() : undefined;
        if (device === undefined) throw refusal;
        return charge('device', limiters.device, device);
      }
    },
    admitInvited: (ip) => charge('address', limiters.invitation, ipPrefix(ip)),
    async attempt(attempt) {
      for (const [counter, key] of countsOf(attempt)) await countAttempt(counter, key);
    },
    async succeeded(attempt) {
      await Promise.all(countsOf(attempt).map(([counter, key]) => counter.reward(key, 1)));
    },
  };
}
