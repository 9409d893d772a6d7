import { decideAccess } from '../domain/access';
import { decimalToNumber, type Decimal } from '../domain/decimal';
import { withHeld } from '../domain/held-source';
import type { Instant } from '../domain/instant';
import { accessStatusOf, type PastDuePolicy } from '../domain/subscription';
import { toTime, toTimeOrNull } from '../schemas/instant';
import { countedSource } from '../usage/counted-source';
import type { HeldReservation } from '../usage/held-units';
import type { BalanceRow } from './balance-store';
import type { Balance } from './customer-resource';

/** Returns the customer's balance of each metered feature, as a check at `now` would answer. */
export function balancesOf(
  rows: readonly BalanceRow[],
  held: readonly HeldReservation[],
  policy: PastDuePolicy,
  now: Instant,
): Balance[] {
  const byFeature = new Map<string, BalanceRow[]>();
  for (const row of rows) byFeature.set(row.feature, [...(byFeature.get(row.feature) ?? []), row]);
  return [...byFeature].map(([feature, ofFeature]) => {
    const granting = ofFeature.filter((row) => accessStatusOf(row, policy, now) === 'active');
    const { before, period } = decideAccess({
      feature: { key: feature, kind: 'metered' },
      // Any quantity works, because only the balances before it are shown.
      quantity: 1n,
      sources: granting.map((row) =>
        withHeld(
          countedSource(row, now),
          held.flatMap(({ featureId, deductions }) => (featureId === row.featureId ? deductions : [])),
        ),
      ),
      credits: [],
      now,
      accessStatus: 'none',
      entity: null,
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

function toNumberOrNull(decimal: Decimal | null): number | null {
  return decimal === null ? null : decimalToNumber(decimal);
}
