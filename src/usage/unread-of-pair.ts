import type { Instant } from '../domain/instant';
import { usagePeriod } from '../domain/period';
import { accessStatusThen } from '../domain/subscription';
import type { TermsKey } from './former-terms-store';
import type { PairState } from './pair-state';
import type { CounterKey } from './past-usage-store';
import type { TakenDeduction } from './stored-deduction';
import { findRow } from './subscription-row';
import { unreadPeriods, unreadTerms } from './unread-periods';

/** Whether a use at the time of the decision needs counters or terms that were not read with the context. */
export function hasUnread(pair: PairState): boolean {
  return pair.at(null).sources.some(({ subscriptionId, period }) => {
    const row = findRow(pair.rows, subscriptionId);
    if (row === undefined) return false;
    return unreadPeriods(row, period).length > 0 || unreadTerms(row, period).length > 0;
  });
}

/** Returns the terms that a use at `at` needs and that have not been read. */
export function unreadTermsAt(pair: PairState, at: Instant): TermsKey[] {
  const { featureId } = pair;
  if (featureId === null) return [];
  const moment = pair.momentOf(at);
  return pair.rows.flatMap((row) => {
    const { subscriptionId, resetInterval, earlier } = row;
    if (earlier === null || accessStatusThen(row, pair.policy, moment) !== 'active') return [];
    const instants = unreadTerms(row, usagePeriod(row, resetInterval, moment));
    return instants.map((instant) => ({ subscriptionId, featureId, at: instant }));
  });
}

/** Returns the counters that a use at `at` needs and that have not been read. */
export function unreadCountersAt(pair: PairState, at: Instant): CounterKey[] {
  const moment = pair.momentOf(at);
  return pair.rows.flatMap((row) => {
    if (row.entitlementId === null || accessStatusThen(row, pair.policy, moment) !== 'active') return [];
    const { subscriptionId, resetInterval } = row;
    return unreadPeriods(row, usagePeriod(row, resetInterval, moment)).flatMap((start) =>
      pair.counters.unread(subscriptionId, resetInterval, start),
    );
  });
}

/**
 * Returns the counters of these deductions that have not been read: held units may belong to a usage period that is
 * over.
 */
export function unreadCountersOf(pair: PairState, deductions: readonly TakenDeduction[]): CounterKey[] {
  const { counters, rows } = pair;
  return deductions.flatMap((deduction) => {
    const { subscriptionId, resetInterval, periodStart } = deduction;
    const counted = counters.unread(subscriptionId, resetInterval, periodStart);
    if (deduction.from !== 'rollover') return counted;
    // If the interval has changed since, and its period begins at the same instant, the new interval's counter is used.
    const now = findRow(rows, subscriptionId)?.resetInterval;
    const intervals = new Set([resetInterval, now ?? resetInterval]);
    const origins = [...intervals].flatMap((interval) =>
      counters.unread(subscriptionId, interval, deduction.originStart),
    );
    return [...counted, ...origins];
  });
}
