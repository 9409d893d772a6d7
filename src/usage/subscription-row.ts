import type { AccessSource } from '../domain/access';
import type { Instant } from '../domain/instant';
import { usagePeriod } from '../domain/period';
import { NOTHING, tallyOf, type Tally } from './counter';
import type { EntitledRow } from './entitled-row-store';
import type { TakenDeduction } from './stored-deduction';

/**
 * A customer's subscription as a batch has read it for a feature: an open one, or one that has ended since a use.
 * Without an entitlement to the feature, `entitlementId` is null.
 */
export type SubscriptionRow = EntitledRow & {
  entitlementId: string | null;
  /** Percentages of the quota to notify, as the text of an array; null without an entitlement. */
  alertPercents: string | null;
  cancelledAt?: Instant | null;
  unpaidSince?: Instant | null;
};

export function findRow(
  rows: readonly SubscriptionRow[],
  subscriptionId: string,
): SubscriptionRow | undefined {
  return rows.find((row) => row.subscriptionId === subscriptionId);
}

/** Returns the row's counter of a usage period: the latest one, or an earlier one that carries units over. */
export function storedTally(row: EntitledRow, periodStart: Instant): Tally {
  if (row.counterStart === periodStart) return tallyOf(row);
  const earlier = row.earlier?.counters?.find(({ start }) => Date.parse(start) === periodStart);
  return earlier === undefined ? NOTHING : tallyOf(earlier);
}

/** Returns the usage periods of these deductions, except for subscriptions that have ended since, which are unknown. */
export function periodsOf(
  rows: readonly SubscriptionRow[],
  deductions: readonly TakenDeduction[],
): Pick<AccessSource, 'subscriptionId' | 'period'>[] {
  return deductions.flatMap(({ subscriptionId, resetInterval, periodStart }) => {
    const row = findRow(rows, subscriptionId);
    return row === undefined
      ? []
      : [{ subscriptionId, period: usagePeriod(row, resetInterval, periodStart) }];
  });
}

/** Parses the members of an array's text. */
export function readPercents(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}
