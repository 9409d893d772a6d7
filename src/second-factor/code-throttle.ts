import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import {
  countAttempts,
  createAttemptCounter,
  refundAttempts,
  type AttemptCounter,
} from '../rate-limits/attempt-counter';

/** Wrong codes allowed in 15 minutes, as for passwords. */
const CODE_ATTEMPTS = 10;
/**
 * Wrong codes allowed in a day. Three of a million codes are valid at a time, and with the short window alone a month
 * of guessing could find one.
 */
const CODE_ATTEMPTS_A_DAY = 50;

/**
 * Source of a code, in addition to the operator. A device that has logged in to the account before, or a session of it,
 * has counters of its own, so that an attacker who has only the password cannot lock the operator out of them. All
 * unknown sources share one counter, whatever their addresses.
 */
export type CodeSource = { kind: 'device' | 'session'; id: string } | { kind: 'unknown' };

/**
 * Whose codes are tried: the operator's, of one enrolment. A later enrolment has codes and counters of its own, so an
 * operator who was locked out and then reset starts over in every process. An attacker gains nothing from that, because
 * ending an enrolment takes a correct code or an owner.
 */
export interface TriedCodes {
  operatorId: string;
  /** When the enrolment was started; null if it is not confirmed yet. */
  enrolledAt: Instant | null;
}

/** Limits how many codes can be tried. */
export interface CodeThrottle {
  /**
   * Counts an attempt before the code is checked, so that concurrent guesses cannot slip past the limit.
   *
   * @throws TollgateError login_throttled with the seconds to wait
   */
  attempt(tried: TriedCodes, source: CodeSource): Promise<void>;
  /** Refunds an attempt: the code was right, or it was not compared. */
  takeBack(tried: TriedCodes, source: CodeSource): Promise<void>;
}

export function createCodeThrottle(database: Database): CodeThrottle {
  const counters = [
    createAttemptCounter(database, 'code', { points: CODE_ATTEMPTS, windowSeconds: 15 * 60 }),
    createAttemptCounter(database, 'codes-a-day', { points: CODE_ATTEMPTS_A_DAY, windowSeconds: 24 * 3_600 }),
  ];
  const countsOf = (
    { operatorId, enrolledAt }: TriedCodes,
    source: CodeSource,
  ): [AttemptCounter, string][] => {
    const codes = enrolledAt === null ? operatorId : `${operatorId} ${enrolledAt}`;
    const key = source.kind === 'unknown' ? codes : `${codes} ${source.kind} ${source.id}`;
    return counters.map((counter) => [counter, key]);
  };
  return {
    attempt: (tried, source) => countAttempts(countsOf(tried, source)),
    takeBack: (tried, source) => refundAttempts(countsOf(tried, source)),
  };
}
