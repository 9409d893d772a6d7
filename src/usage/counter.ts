import type { Deduction } from '../domain/access';
import { parseDecimal, type Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import type { ResetInterval } from '../domain/period';

/** Contents of a counter: units by what covered them, and units of its quota that later usage periods have used. */
export interface Tally {
  quota: Decimal;
  rollover: Decimal;
  credits: Decimal;
  overage: Decimal;
  usedLater: Decimal;
  /** The quota of the last notification, as text, and its highest percentage. */
  alertedQuota: string | null;
  alertedPercent: number | null;
}

export const NOTHING: Tally = {
  quota: 0n,
  rollover: 0n,
  credits: 0n,
  overage: 0n,
  usedLater: 0n,
  alertedQuota: null,
  alertedPercent: null,
};

/** A counter of a usage period, as read and as it is to be written. */
export interface Counter {
  subscriptionId: string;
  resetInterval: ResetInterval;
  periodStart: Instant;
  was: Tally;
  tally: Tally;
}

/** A counter's columns; decimals are text. */
export interface TallyColumns {
  quotaUsed: string;
  rolloverUsed: string;
  creditUsed: string;
  overageUsed: string;
  usedLater: string;
  alertedQuota: string | null;
  alertedPercent: number | null;
}

/** The columns of a counter `u`. */
export const TALLY_COLUMNS = `u.quota_used AS "quotaUsed", u.rollover_used AS "rolloverUsed", u.credit_used AS "creditUsed",
  u.overage_used AS "overageUsed", u.used_later AS "usedLater", u.alerted_quota AS "alertedQuota", u.alerted_percent AS "alertedPercent"`;

export function tallyOf(row: TallyColumns): Tally {
  return {
    quota: parseDecimal(row.quotaUsed),
    rollover: parseDecimal(row.rolloverUsed),
    credits: parseDecimal(row.creditUsed),
    overage: parseDecimal(row.overageUsed),
    usedLater: parseDecimal(row.usedLater),
    alertedQuota: row.alertedQuota,
    alertedPercent: row.alertedPercent,
  };
}

/** Adds a deduction to the tally of the usage period that it counts in. */
export function addToTally(tally: Tally, { from, quantity }: Deduction): Tally {
  return { ...tally, [from]: tally[from] + quantity };
}

/** Returns the units that alerts compare with the quota: all except those from earlier periods' quotas. */
export function countedUnits({ quota, credits, overage }: Tally): Decimal {
  return quota + credits + overage;
}

/** Returns all units that count in the usage period. */
export function unitsOf({ quota, rollover, credits, overage }: Tally): Decimal {
  return quota + rollover + credits + overage;
}
