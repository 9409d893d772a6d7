import { rolloverOf } from '../catalog/entitlement-resource';
import { listEntitlements, type EntitlementWithFeature } from '../catalog/entitlement-store';
import { listPlansNamed } from '../catalog/plan-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { takeStep } from '../domain/lifecycle';
import { effectiveQuota } from '../domain/quota';
import { stepBeforeCommand } from '../domain/step-before-command';
import { enqueueSubscriptionSignals } from '../outbox/enqueue';
import type { PlanPrices } from '../plan-prices/plan-price-service';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';
import { findBilledSubscription } from './billed-subscription-store';
import {
  toChangePreview,
  type ChangePreviewResource,
  type EntitlementDifference,
  type GrantDifference,
  type GrantedTerms,
} from './change-preview-resource';
import type { ChangeInput } from './change-resource';
import { planRequestedChange } from './plan-requested-change';
import { pricedChange } from './priced-change';
import { subscriptionNotFound } from '../operations/subscription-not-found';

/** Previews changes, without changing the subscription. */
export interface ChangePreviews {
  /**
   * Wakes the subscription's workflow if a local renewal is overdue, because the change would have it processed first:
   * it may wait for its place in the spread of renewals.
   *
   * @throws TollgateError subscription_not_found, plan_not_found, the refusals of the change itself, and service_busy
   *   while an overdue renewal is still pending
   */
  preview(actor: Actor, subscriptionId: string, request: ChangeInput): Promise<ChangePreviewResource>;
}

export function createChangePreviews(
  database: Database,
  planPrices: Pick<PlanPrices, 'requireSame'>,
): ChangePreviews {
  return {
    async preview({ scope, reason, now }, id, request) {
      const previewed = await inWorkspace(database, scope, reason, async (trx) => {
        const found = await findBilledSubscription(trx, scope, id, 'read');
        if (found === undefined) throw subscriptionNotFound(id);
        const subscription = asCommandsSeeIt(found, now);
        if (subscription === null) {
          // A provider's renewal is not spread, and a provider that did not answer has its pause.
          if (found.provider === 'internal') await enqueueSubscriptionSignals(trx, scope, [id]);
          return null;
        }
        const plan = await planRequestedChange(trx, scope, subscription, request, now);
        const difference = {
          entitlements: await entitlementDifference(trx, scope, plan.from, plan.to),
          entityLimit: await entityLimitDifference(trx, scope, plan.from, plan.to),
        };
        const preview = toChangePreview(plan, subscription.currency, difference);
        const sale = await pricedChange(trx, scope, subscription, plan.target, plan.to.seats);
        const { provider, providerReference } = subscription;
        const changes =
          provider === 'provider_a' && plan.effective === 'immediate' ? providerReference : null;
        return { preview, sale: sale && { ...sale, plan: { ...sale.plan, changes: changes ?? undefined } } };
      });
      if (previewed === null) {
        throw new TollgateError('service_busy', 'This subscription is being updated at the moment.', {
          retryAfter: 1,
        });
      }
      const { preview, sale } = previewed;
      if (sale !== null) await planPrices.requireSame({ scope, reason }, sale.connectionId, sale.plan);
      return preview;
    },
  };
}

/**
 * Returns the subscription in the state in which a change would now find it. A change waits for the steps due before
 * it, and a preview based on a period that has ended would promise a different price: null while such a step is
 * pending.
 */
function asCommandsSeeIt(subscription: BilledSubscription, now: Instant): BilledSubscription | null {
  const due = stepBeforeCommand(subscription, now);
  switch (due?.step) {
    case undefined:
    // While the outcome of the last request is unknown, a change is refused, and so is its preview.
    case 'settle_call':
      return subscription;
    // A change would expire the checkout first and then be refused.
    case 'expire_checkout':
      return takeStep(subscription, 'expire_checkout');
    default:
      return null;
  }
}

interface PlanWithSeats {
  planId: string;
  seats: number;
}

/** Returns the features that two plans with their seats grant differently, by key. */
async function entitlementDifference(
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

/** Returns how many entities two plans allow. */
async function entityLimitDifference(
  trx: DbTransaction,
  scope: WorkspaceScope,
  from: PlanWithSeats,
  to: PlanWithSeats,
): Promise<GrantDifference['entityLimit']> {
  const plans = await listPlansNamed(trx, scope, [from.planId, to.planId]);
  const limitOf = ({ planId }: PlanWithSeats): number | null =>
    plans.find(({ id }) => id === planId)?.entityLimit ?? null;
  return { from: limitOf(from), to: limitOf(to) };
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
  const { feature, quota, entityQuota, perSeat, resetInterval, enforcement, creditCost } = entitlement;
  const units = quota === null ? null : effectiveQuota(parseDecimal(quota), perSeat, seats);
  return {
    quota: units === null ? null : decimalToNumber(units),
    entityQuota: entityQuota === null ? null : decimalToNumber(parseDecimal(entityQuota)),
    unlimited: feature.kind === 'metered' && units === null && entityQuota === null,
    resetInterval,
    enforcement,
    creditCost: creditCost === null ? null : decimalToNumber(parseDecimal(creditCost)),
    rollover: rolloverOf(entitlement),
  };
}
