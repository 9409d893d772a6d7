import { findPlanNames } from '../catalog/plan-store';
import { findConnection } from '../connections/connection-store';
import { planReferenceOf } from '../connections/plan-reference';
import { requireConnection } from '../connections/require-connection';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { applyImmediateChange, planChange, type ChangePlan } from '../domain/plan-change';
import { periodPrice } from '../domain/proration';
import { requireAsShown } from '../domain/shown-change';
import type { OfferedPlan } from '../domain/subscription';
import { applyTax, taxChargedHere } from '../domain/tax';
import type { WorkspaceScope } from '../tenancy/actor';
import { planReferenceAt } from './plan-at-provider';
import type { BilledSubscription } from './billed-subscription';
import { toShownChange, type ChangeOrder } from './change-order';
import type { ChangeInput } from './change-resource';
import { requireRecordable } from './charge-period';
import { requireOfferedPlan } from './require-offer';

/** A planned change, with the reference of its plan at the provider; without one if it is billed locally. */
export type RequestedChange = ChangePlan & { planReference?: string };

/**
 * Plans a requested change, both for its preview and for its execution.
 *
 * @throws TollgateError plan_not_found, plan_not_mapped, connection_disabled, change_differs, and the refusals of
 *   `planChange`
 */
export async function planRequestedChange(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  request: ChangeOrder,
  now: Instant,
): Promise<RequestedChange> {
  const target = await targetOfChange(trx, scope, subscription, request);
  const seats = request.seats ?? subscription.seats;
  const requested = subscription.work.request;
  const isSamePlanAtProvider = await isOnePlanAtProvider(trx, scope, subscription, target.id);
  const plan = planChange({ ...subscription, requested, isSamePlanAtProvider }, target, seats, now);
  const { shown } = request;
  if (shown !== undefined) requireAsShown(plan, toShownChange(shown));
  // Also checked for a later change, because a renewal whose amount cannot be recorded could never happen.
  const renewed = { unitAmount: target.price.amount, pricing: target.pricing, seats };
  // More seats are first charged at the current period's price; so is the end of a trial.
  const charged =
    plan.effective === 'immediate' ? [applyImmediateChange(subscription, plan), renewed] : [renewed];
  const tax = taxChargedHere(subscription.provider, subscription.tax);
  for (const terms of charged) requireRecordable(applyTax(periodPrice(terms), tax));
  if (subscription.provider === 'internal') return plan;
  const connection = await requireConnection(trx, scope, subscription.connectionId ?? '');
  // The provider must know the plan: better to fail now than at the renewal.
  return { ...plan, planReference: await planReferenceAt(trx, scope, connection, target.id) };
}

/**
 * Returns whether the target is the same plan at the provider. Provider B bills several of our plans as one if they
 * have the same reference there.
 */
async function isOnePlanAtProvider(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { provider, planId, scheduled, connectionId }: BilledSubscription,
  targetId: string,
): Promise<boolean> {
  const billedId = scheduled?.planId ?? planId;
  if (provider !== 'provider_b' || connectionId === null || billedId === targetId)
    return billedId === targetId;
  const connection = await findConnection(trx, scope, connectionId);
  const [billed, target] = [
    await findPlanNames(trx, scope, billedId),
    await findPlanNames(trx, scope, targetId),
  ];
  if (connection === undefined || billed === undefined || target === undefined) return false;
  const reference = planReferenceOf(connection, target);
  return reference !== null && reference === planReferenceOf(connection, billed);
}

/**
 * Returns the plan that a request names, or the subscription's own. @throws TollgateError plan_not_found, plan_archived
 */
export async function targetOfChange(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  { planId, planSlug }: ChangeInput,
): Promise<OfferedPlan> {
  const staysOnPlan =
    planId === undefined
      ? planSlug === undefined || planSlug === subscription.planSlug
      : planId === subscription.planId;
  return staysOnPlan ? ownPlan(subscription) : requireOfferedPlan(trx, scope, { planId, planSlug });
}

/**
 * Returns the subscription's own plan. Seats of an archived plan may still be changed, because existing subscribers
 * keep the plan.
 */
function ownPlan(subscription: BilledSubscription): OfferedPlan {
  const { planId, planSlug, planGroupId, planUnitAmount, currency, interval, pricing } = subscription;
  return {
    id: planId,
    slug: planSlug,
    planGroupId,
    price: { amount: planUnitAmount, currency },
    interval,
    pricing,
    trialDays: 0,
    archived: false,
  };
}
