import type { Instant } from '../../domain/instant';
import type { DbTransaction } from '../../db/pools';
import { capabilitiesOf, isAlreadyCancelled } from '../../domain/capabilities';
import { requireCapability } from '../../domain/require-capability';
import { isTollgateError } from '../../domain/errors';
import { mayBePrepared, mayHaveRenewed, providerCallsOf } from '../../domain/provider-calls';
import type { ProviderIntent, RequestedTerms } from '../../domain/provider-work';
import type { OperationContext, PreparedCommand, RepairHandler } from '../operation-handler';
import type { BilledSubscription } from '../billed-subscription';
import { readChangeOrder } from '../change-order';
import { planRequestedChange, type RequestedChange } from '../plan-requested-change';
import { requireWithdrawable } from '../withdraw-scheduled-change';
import { referenceOfPlan } from '../plan-at-provider';

/**
 * Validates a command on a subscription that a payment provider bills, and returns the calls it needs. Returns null if
 * it needs none: its effect already exists, or is due later.
 *
 * @throws TollgateError capability_unavailable, capability_unsupported, connection_disabled, plan_not_mapped, and the
 *   refusals of `planChange`
 */
export async function prepareCommand(
  trx: DbTransaction,
  context: OperationContext,
  subscription: BilledSubscription,
  repair: RepairHandler,
): Promise<PreparedCommand | null> {
  const { operation, actor, now } = context;
  const { scope } = actor;
  const capabilities = capabilitiesOf(subscription, now);
  switch (operation.kind) {
    case 'cancel':
      if (isAlreadyCancelled(subscription, capabilities)) return null;
      requireCapability('cancel', capabilities);
      return prepared(trx, context, subscription, { kind: 'cancel' });
    case 'reactivate':
      requireCapability('reactivate', capabilities);
      return prepared(trx, context, subscription, { kind: 'reactivate' });
    case 'withdraw_scheduled_change':
      if (subscription.scheduled === null || !mayBePrepared(subscription)) return null;
      requireWithdrawable(subscription, now);
      return prepared(trx, context, subscription, { kind: 'withdraw' });
    case 'change': {
      const order = readChangeOrder(operation.input);
      const plan = await planRequestedChange(trx, scope, subscription, order, now);
      if (plan.effective === 'next_renewal') return null;
      const { direction } = plan;
      const to = termsAtProvider(plan, now);
      const kind = plan.effective === 'immediate' ? 'change_now' : 'request_change';
      return prepared(trx, context, subscription, { kind, direction, to });
    }
    case 'repair':
      return repair.prepare(trx, context, subscription);
    default:
      return null;
  }
}

async function prepared(
  trx: DbTransaction,
  context: OperationContext,
  subscription: BilledSubscription,
  intent: ProviderIntent,
): Promise<PreparedCommand> {
  const own = await priceToRestore(trx, context, subscription, intent);
  return { intent, calls: providerCallsOf(intent, subscription, own) };
}

/**
 * Returns the provider's reference of the price to restore: the subscription's price before its renewal was prepared,
 * or else the plan's current one. Null if there is nothing to restore.
 *
 * @throws TollgateError plan_not_mapped, except for a cancellation, which nothing may block: a subscription that ends
 *   is not charged again
 */
async function priceToRestore(
  trx: DbTransaction,
  { actor: { scope }, now }: OperationContext,
  subscription: BilledSubscription,
  { kind }: ProviderIntent,
): Promise<string | null> {
  if (!mayBePrepared(subscription)) return null;
  // The period may have begun and been charged at the prepared price, which is then the subscription's price.
  if (kind === 'cancel' && mayHaveRenewed(subscription, now)) return null;
  const before = subscription.work.sync?.ownReference;
  if (before !== undefined) return before;
  try {
    return await referenceOfPlan(trx, scope, subscription, subscription.planId);
  } catch (error) {
    if (kind === 'cancel' && isTollgateError(error) && error.code === 'plan_not_mapped') return null;
    throw error;
  }
}

function termsAtProvider({ to, target, planReference }: RequestedChange, now: Instant): RequestedTerms {
  if (planReference === undefined) throw new Error('No provider bills the subscription.');
  return {
    ...to,
    unitAmount: target.price.amount.toString(),
    pricing: target.pricing,
    interval: target.interval,
    planReference,
    requestedAt: now,
  };
}
