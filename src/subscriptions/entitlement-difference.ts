import { listEntitlements, type EntitlementWithFeature } from '../catalog/entitlement-store';
import type { DbTransaction } from '../db/pools';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import { effectiveQuota } from '../domain/quota';
import type { WorkspaceScope } from '../tenancy/scope';
import type { EntitlementDifference, GrantedTerms } from './change-preview-resource';

interface PlanWithSeats {
  planId: string;
  seats: number;
}

/** The features that one plan with its seats grants otherwise than another, by key. */
export async function entitlementDifference(
  trx: DbTransaction,
  scope: WorkspaceScope,
  from: PlanWithSeats,
  to: PlanWithSeats,
): Promise<EntitlementDifference[]> {
  const [before, after] = [await grantedBy(trx, scope, from), await grantedBy(trx, scope, to)];
  const features = [...new Set([...before.keys(), ...after.keys()])].sort();
  return features.flatMap((feature) => {
    const [one, other] = [before.get(feature) ?? null, after.get(feature) ?? null];
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ feature, from: one, to: other }];
  });
}

async function grantedBy(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { planId, seats }: PlanWithSeats,
): Promise<Map<string, GrantedTerms>> {
  const entitlements = await listEntitlements(trx, scope, planId, { take: Number.MAX_SAFE_INTEGER });
  return new Map(entitlements.map((entitlement) => [entitlement.feature.key, granted(entitlement, seats)]));
}

function granted(entitlement: EntitlementWithFeature, seats: number): GrantedTerms {
  const { feature, quota, perSeat, resetInterval, enforcement, creditCost } = entitlement;
  const units = quota === null ? null : effectiveQuota(parseDecimal(quota), perSeat, seats);
  return {
    quota: units === null ? null : decimalToNumber(units),
    unlimited: feature.kind === 'metered' && units === null,
    resetInterval,
    enforcement,
    creditCost: creditCost === null ? null : decimalToNumber(parseDecimal(creditCost)),
  };
}
