import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import { countAttempt, createAttemptCounter } from '../rate-limits/attempt-counter';

/** Wrong codes in 15 minutes, as wrong passwords. */
const CODE_ATTEMPTS = 10;
/** And in a day: three of a million codes are right at a time, and a window of minutes alone would let a month find one. */
const CODE_ATTEMPTS_A_DAY = 50;

/**
 * Who tries a code, beyond the operator: a device that has logged in to the account before or a session of it has counts
 * of its own, so that who knows the password alone cannot lock the operator out of them. All strangers have one together,
 * whatever their addresses are.
 */
export type CodeSource = { kind: 'device' | 'session'; id: string } | { kind: 'unknown' };

/**
 * Whose codes are tried: the operator's, of one enrolment. A later enrolment has codes of its own, and counters of its
 * own: who was locked out and is reset begins anew, in every process. An attacker gains nothing by it, for what ends an
 * enrolment takes a right code, or an owner's word.
 */
interface TriedCodes {
  operatorId: string;
  /** When the enrolment was begun; null for one that is not confirmed yet. */
  enrolledAt: Instant | null;
}

/** Bounds how many codes can be tried. */
export interface CodeThrottle {
  /**
   * Counts an attempt before the code is looked at, so that concurrent guesses cannot slip past the bound.
   *
   * @throws TollgateError login_throttled with the seconds to wait
   */
  attempt(tried: TriedCodes, source: CodeSource): Promise<void>;
  /** Takes the attempt back when the code was right. */
  succeeded(tried: TriedCodes, source: CodeSource): Promise<void>;
}

export function createCodeThrottle(database: Database): CodeThrottle {
  const counters = [
    createAttemptCounter(database, 'code', { points: CODE_ATTEMPTS, windowSeconds: 15 * 60 }),
    createAttemptCounter(database, 'codes-a-day', { points: CODE_ATTEMPTS_A_DAY, windowSeconds: 24 * 3_600 }),
  ];
  const keyOf = ({ operatorId, enrolledAt }: TriedCodes, source: CodeSource): string => {
    const codes = enrolledAt === null ? operatorId : `${operatorId} ${enrolledAt}`;
    return source.kind === 'unknown' ? codes : `${codes} ${source.kind} ${source.id}`;
  };
  return {
    async attempt(tried, source) {
      for (const counter of counters) await countAttempt(counter, keyOf(tried, source));
    },
    async succeeded(tried, source) {
      await Promise.all(counters.map((counter) => counter.reward(keyOf(tried, source), 1)));
    },
  };
}
