import type { Decimal } from './decimal';

/** Limits of a quota's alert percentages: their number and range. */
export const ALERT_PERCENTS = { count: 10, least: 1, most: 1_000 } as const;

/** Defaults of a new workspace. */
export const DEFAULT_ALERTS: { usagePercents: number[]; creditsLowPercent: number } = {
  usagePercents: [80, 100],
  creditsLowPercent: 20,
};

/** What was last notified of a usage period: the quota, and the highest percentage of it. */
export interface NotifiedUsage {
  quota: Decimal;
  percent: number;
}

/** Inputs for the alerts of one entitlement in one usage period. */
export interface AlertTerms {
  /** In any order. */
  percents: readonly number[];
  /** Units per period, including the seats; null: unlimited. */
  quota: Decimal | null;
  /** null: nothing was notified in the period. */
  notified: NotifiedUsage | null;
}

/**
 * Returns the percentages that the period's units have reached and that were not notified, lowest first, and the record
 * of what is then notified. If the quota differs from the notified one, alerts are notified again. Reversed units
 * change nothing: past notifications stay.
 *
 * @param units what counts in the period: from its quota, paid with credits, and overage
 */
export function reachedAlerts(
  terms: AlertTerms,
  units: Decimal,
): { percents: number[]; notified: NotifiedUsage | null } {
  const { quota, notified } = terms;
  const percents = openPercents(terms).filter((percent) => isReached(percent, quota, units));
  const highest = percents.at(-1);
  if (highest === undefined || quota === null) return { percents, notified };
  return { percents, notified: { quota, percent: highest } };
}

/**
 * Returns when the next alert is due, as a hundred times the units that reach it, so that a track costs one comparison.
 * null: no alert remains.
 */
export function nextAlertAt(terms: AlertTerms): Decimal | null {
  const [next] = openPercents(terms);
  return next === undefined || terms.quota === null ? null : BigInt(next) * terms.quota;
}

/** Returns the percentages of the quota that were not notified, lowest first. A missing or zero quota has none. */
function openPercents({ percents, quota, notified }: AlertTerms): number[] {
  if (quota === null || quota <= 0n) return [];
  const done = notified?.quota === quota ? notified.percent : 0;
  return percents.filter((percent) => percent > done).sort((a, b) => a - b);
}

function isReached(percent: number, quota: Decimal | null, units: Decimal): boolean {
  return quota !== null && units * 100n >= BigInt(percent) * quota;
}
