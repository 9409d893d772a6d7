import type { AccessSource, Deduction } from '../domain/access';
import { parseDecimal, type Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { usagePeriod, type ResetInterval } from '../domain/period';
import { effectiveQuota } from '../domain/quota';
import type { EntitledRow } from './entitled-row-store';

/** What a counter holds: units taken from the quota, paid with credits, and beyond both. */
export interface Tally {
  quota: Decimal;
  credits: Decimal;
  overage: Decimal;
}

export const NOTHING: Tally = { quota: 0n, credits: 0n, overage: 0n };

/** A source of units that knows its counter. */
export interface CountedSource extends AccessSource {
  resetInterval: ResetInterval;
  /** The counter as it was read; all zero when this period has none yet. */
  was: Tally;
  /** The counter as it is to be. */
  tally: Tally;
}

/**
 * The source of units that an entitlement is at an instant, with what the usage period of that instant has used.
 *
 * @param counter the period's counter, where it is not the latest, which stands in the row
 */
export function countedSource(row: EntitledRow, at: Instant, counter?: Tally): CountedSource {
  const period = usagePeriod(row, row.resetInterval, at);
  // The row's counter is the latest; one of another period says nothing about this one.
  const was = counter ?? (row.counterStart === period.start ? tallyOf(row) : NOTHING);
  return {
    subscriptionId: row.subscriptionId,
    plan: { id: row.planId, slug: row.planSlug },
    quota: effectiveQuota(parseOrNull(row.quota), row.perSeat, row.seats),
    quotaUsed: was.quota,
    used: was.quota + was.credits + was.overage,
    reservedQuota: 0n,
    reserved: 0n,
    enforcement: row.enforcement,
    creditCost: parseOrNull(row.creditCost),
    period,
    resetInterval: row.resetInterval,
    was,
    tally: was,
  };
}

export function addToTally(tally: Tally, deduction: Deduction): Tally {
  return {
    quota: tally.quota + (deduction.from === 'quota' ? deduction.quantity : 0n),
    credits: tally.credits + (deduction.from === 'credits' ? deduction.quantity : 0n),
    overage: tally.overage + (deduction.from === 'overage' ? deduction.quantity : 0n),
  };
}

/** What a counter's row says. */
export function tallyOf(row: Pick<EntitledRow, 'quotaUsed' | 'creditUsed' | 'overageUsed'>): Tally {
  return {
    quota: parseDecimal(row.quotaUsed),
    credits: parseDecimal(row.creditUsed),
    overage: parseDecimal(row.overageUsed),
  };
}

function parseOrNull(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text);
}
