import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import type { Transaction } from '../db/pools';
import { checkoutDeadline } from '../domain/checkout';
import type { Instant } from '../domain/instant';
import { moneyInWords, planInWords } from '../domain/plain-words';
import { newIdentifier } from '../identifiers/identifier';
import { SOURCES } from '../operations/record-act';
import { toTime } from '../schemas/instant';
import { toMoney } from '../schemas/money';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import {
  alreadyOpen,
  openOnPlan,
  requireNamedCustomer,
  requireOfferedPlan,
  type Opening,
} from '../subscriptions/open-on-plan';
import { findOpenSubscription } from '../subscriptions/open-subscription-store';
import { recordOpening } from '../subscriptions/open-subscription';
import { recordHappening, type SubscriptionHappening } from '../subscriptions/subscription-history-store';
import type { Actor } from '../tenancy/scope';
import { announceCheckout } from './announce-checkout';
import type { createCheckoutInput } from './checkout-resource';
import { insertCheckout } from './checkout-store';
import { findIncompleteSubscriptions, lockCustomerForCheckout } from './earlier-checkout-store';
import { expireCheckout } from './expire-checkout';

export type CreateCheckoutInput = z.output<typeof createCheckoutInput>;

/**
 * Makes a checkout in the open transaction, in the place of an earlier one of the customer in the plan group: its
 * subscription, which is `incomplete` unless nothing is to pay, and the transaction to be paid.
 *
 * @returns the checkout's id
 * @throws TollgateError customer_not_found, plan_not_found, plan_archived, subscription_exists (with
 *   `subscriptionId`), validation_failed for an amount that cannot be recorded
 */
export async function createCheckout(
  trx: Transaction,
  actor: Actor,
  input: CreateCheckoutInput,
): Promise<string> {
  const { scope, now } = actor;
  const customer = await requireNamedCustomer(trx, scope, input);
  const plan = await requireOfferedPlan(trx, scope, input);
  const checkoutId = newIdentifier('checkout');
  await lockCustomerForCheckout(trx, scope, customer.id);
  await replaceEarlier(trx, actor, { customerId: customer.id, planGroupId: plan.planGroupId, checkoutId });
  // After the earlier one, which may have been paid while its row was waited for.
  if ((await findOpenSubscription(trx, scope, customer.id, plan.planGroupId)) !== undefined) {
    throw await alreadyOpen(trx, scope, customer, plan);
  }
  const expiresAt = checkoutDeadline(now, input.expiresInMinutes);
  const { seats, metadata } = input;
  const offer = { customer, plan, seats, metadata, incompleteUntil: expiresAt };
  const opening = await openOnPlan(trx, scope, offer, now);
  const { subscription, transaction } = opening;
  const open = subscription.status === 'incomplete';
  await insertCheckout(trx, scope, {
    id: checkoutId,
    customerId: customer.id,
    subscriptionId: subscription.id,
    transactionId: transaction?.id ?? null,
    provider: subscription.provider,
    status: open ? 'open' : 'complete',
    expiresAt,
    createdAt: now,
  });
  const made = { checkoutId, externalId: customer.externalId, planSlug: plan.slug, expiresAt };
  await recordCheckout(trx, actor, opening, made);
  if (open) await announceCheckout(trx, scope, checkoutId);
  else await recordOpening(trx, actor, opening, customer, plan);
  return checkoutId;
}

/** Of two unpaid checkouts only one may lead to a subscription: the newer, because it is what was offered last. */
async function replaceEarlier(
  trx: Transaction,
  actor: Actor,
  offer: { customerId: string; planGroupId: string; checkoutId: string },
): Promise<void> {
  const { scope, now, receivedAt, reason } = actor;
  for (const id of await findIncompleteSubscriptions(trx, scope, offer.customerId, offer.planGroupId)) {
    const earlier = await findBilledSubscription(trx, scope, id, 'lock');
    if (earlier?.status !== 'incomplete') continue;
    await expireCheckout(trx, scope, earlier, {
      why: 'replaced',
      at: now,
      recordedAt: receivedAt,
      source: SOURCES[reason],
      replacedBy: offer.checkoutId,
    });
  }
}

async function recordCheckout(
  trx: Transaction,
  actor: Actor,
  { subscription, transaction }: Opening,
  made: { checkoutId: string; externalId: string; planSlug: string; expiresAt: Instant },
): Promise<void> {
  const { scope, now, receivedAt, reason } = actor;
  const { checkoutId, externalId, planSlug, expiresAt } = made;
  const offered = `${externalId} was offered ${planInWords({ ...subscription, planSlug })}`;
  const due =
    transaction === null || subscription.status !== 'incomplete'
      ? 'with nothing to pay yet'
      : `for ${moneyInWords({ amount: transaction.total, currency: transaction.currency })}, to be paid until ${toTime(expiresAt)}`;
  const data = {
    checkoutId,
    customerId: subscription.customerId,
    externalId,
    planId: subscription.planId,
    plan: planSlug,
    seats: subscription.seats,
    status: subscription.status,
    expiresAt: toTime(expiresAt),
    ...(transaction === null
      ? {}
      : { transactionId: transaction.id, total: toMoney(transaction.total, transaction.currency) }),
  };
  const happening: SubscriptionHappening = {
    subscriptionId: subscription.id,
    kind: 'checkout_created',
    type: 'CHECKOUT_CREATED',
    status: 'OK',
    message: `${offered} ${due}.`,
    source: SOURCES[reason],
    data,
  };
  await recordHappening(trx, scope, happening, { happenedAt: now, recordedAt: receivedAt });
  const detail = { ...data, subscriptionId: subscription.id };
  await recordAudit(trx, actor, { action: 'checkout.created', target: checkoutId, detail });
}
