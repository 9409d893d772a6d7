import type { Database } from '../db/pools';
import { isTollgateError } from '../domain/errors';
import {
  countAttempt,
  countAttempts,
  createAttemptCounter,
  hashedKey,
  refundAttempt,
  refundAttempts,
  type AttemptCounter,
} from '../rate-limits/attempt-counter';
import { ipPrefix } from './ip-prefix';

/** Maximum number of guesses per window at one account: from one address, from a known device, or by a session. */
export const ACCOUNT_ATTEMPTS = 10;
/** Maximum number of failures per window at one account from all unknown devices together. */
const UNKNOWN_FAILURES = 100;
/**
 * Maximum number of failures and malformed requests per window from one address; higher, because an office shares
 * one. A known device behind such an address has the same number of its own.
 */
export const ADDRESS_FAILURES = 100;
const WINDOW_SECONDS = 15 * 60;

/** Source of a guess, as far as it is known before the password is checked. */
export interface Attempt {
  email: string;
  ip: string;
  /** Stronger identification than an address: a device that has logged in to the account, or a session of it. */
  known?: { kind: 'device' | 'session'; id: string } | undefined;
}

/** Throttle charge of a request, made before it was read. */
export interface Charge {
  /** `device`: the address has used up its attempts, and a known device was admitted. */
  of: 'address' | 'device';
  refund(): Promise<void>;
}

/** Limits how many passwords can be guessed. A full window empties on its own, so no account is locked permanently. */
export interface LoginThrottle {
  /**
   * Charges a request's address before anything of the request is read, so that a malformed request costs as much as a
   * wrong guess.
   *
   * @param knownDevice called if the address has used up its attempts: returns the id of the device, if it is known
   * @throws TollgateError login_throttled with the seconds to wait
   */
  admit(ip: string, knownDevice: () => Promise<string | undefined>): Promise<Charge>;
  /**
   * Charges the address of a request with an invitation's token, which may be a guess.
   *
   * @throws TollgateError login_throttled with the seconds to wait
   */
  admitInvited(ip: string): Promise<Charge>;
  /**
   * Counts an attempt before the password is checked, so that concurrent guesses cannot slip past the limit. A known
   * device or session has a counter of its own, so that others' guesses do not lock it out.
   *
   * @throws TollgateError login_throttled with the seconds to wait
   */
  attempt(attempt: Attempt): Promise<void>;
  /** Refunds an attempt: the password was right, or it was not compared. */
  takeBack(attempt: Attempt): Promise<void>;
}

/** @param windowSeconds how long attempts count; 15 minutes by default */
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
      // Before the account's counter, so that one address cannot use up the attempts shared by all.
      [limiters.pair, hashedKey(`${ipPrefix(ip)} ${email}`)],
      [limiters.account, hashedKey(email)],
    ];
  };
  const charge = async (of: Charge['of'], counter: AttemptCounter, key: string): Promise<Charge> => {
    await countAttempt(counter, key);
    return { of, refund: () => refundAttempt(counter, key) };
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
    attempt: (attempt) => countAttempts(countsOf(attempt)),
    takeBack: (attempt) => refundAttempts(countsOf(attempt)),
  };
}
