import type { Decimal } from './decimal';

/** What percents of a quota may be: not more of them, and none beyond these. */
export const ALERT_PERCENTS = { count: 10, least: 1, most: 1_000 } as const;

/** What a workspace begins with. */
export const DEFAULT_ALERTS: { usagePercents: number[]; creditsLowPercent: number } = {
  usagePercents: [80, 100],
  creditsLowPercent: 20,
};

/** What of a usage period was notified last: of which quota, and the highest percent of it. */
export interface NotifiedUsage {
  quota: Decimal;
  percent: number;
}

/** What decides about the alerts of one entitlement in one usage period. */
export interface AlertTerms {
  /** In any order. */
  percents: readonly number[];
  /** Units a period, with the seats; null: unlimited. */
  quota: Decimal | null;
  /** null: nothing was notified in the period. */
  notified: NotifiedUsage | null;
}

/**
 * The percents that the period's units reach and that were not notified, lowest first, and what is notified with them.
 * A quota that is another than the notified one is notified anew. Units that are taken back change nothing: what was
 * notified stays so.
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
 * When the next alert is due, as a hundred times the units that reach it, so that a track costs one comparison. null: none
 * is left.
 */
export function nextAlertAt(terms: AlertTerms): Decimal | null {
  const [next] = openPercents(terms);
  return next === undefined || terms.quota === null ? null : BigInt(next) * terms.quota;
}

/** What was not notified of the quota, lowest first. Of no quota, and of none at all, there are no percents. */
function openPercents({ percents, quota, notified }: AlertTerms): number[] {
  if (quota === null || quota <= 0n) return [];
  const done = notified?.quota === quota ? notified.percent : 0;
  return percents.filter((percent) => percent > done).sort((a, b) => a - b);
}

function isReached(percent: number, quota: Decimal | null, units: Decimal): boolean {
  return quota !== null && units * 100n >= BigInt(percent) * quota;
}
