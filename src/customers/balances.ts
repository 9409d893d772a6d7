import { decideAccess, type AccessSource } from '../domain/access';
import { decimalToNumber, parseDecimal, type Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { usagePeriod } from '../domain/period';
import { effectiveQuota } from '../domain/quota';
import { standingOf, type PastDuePolicy } from '../domain/subscription';
import { toTime, toTimeOrNull } from '../schemas/instant';
import type { BalanceRow } from './balance-store';
import type { Balance } from './customer-resource';

/** Where the customer stands with each metered feature: what a check at `now` would answer. */
export function balancesOf(rows: readonly BalanceRow[], policy: PastDuePolicy, now: Instant): Balance[] {
  const byFeature = new Map<string, BalanceRow[]>();
  for (const row of rows) byFeature.set(row.feature, [...(byFeature.get(row.feature) ?? []), row]);
  return [...byFeature].map(([feature, ofFeature]) => {
    const granting = ofFeature.filter((row) => standingOf(row, policy, now) === 'active');
    const { before, period } = decideAccess({
      feature: { key: feature, kind: 'metered' },
      // Any quantity will do: only the balances before it are shown.
      quantity: 1n,
      sources: granting.map((row) => sourceOf(row, now)),
      credits: [],
      standing: 'none',
    });
    return {
      feature,
      usage: decimalToNumber(before.usage),
      quota: toNumberOrNull(before.quota),
      remaining: toNumberOrNull(before.remaining),
      unlimited: before.unlimited,
      period: period === null ? null : { start: toTime(period.start), end: toTimeOrNull(period.end) },
    };
  });
}

function sourceOf(row: BalanceRow, now: Instant): AccessSource {
  const period = usagePeriod(row, row.resetInterval, now);
  // The counter is the latest; one of an earlier period says nothing about this one.
  const counted = row.counterStart === period.start;
  return {
    subscriptionId: row.subscriptionId,
    plan: { id: row.planId, slug: row.planSlug },
    quota: effectiveQuota(parseOrNull(row.quota), row.perSeat, row.seats),
    quotaUsed: (counted ? parseOrNull(row.quotaUsed) : null) ?? 0n,
    used: (counted ? parseOrNull(row.used) : null) ?? 0n,
    enforcement: row.enforcement,
    creditCost: parseOrNull(row.creditCost),
    period,
  };
}

function parseOrNull(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text);
}

function toNumberOrNull(decimal: Decimal | null): number | null {
  return decimal === null ? null : decimalToNumber(decimal);
}
