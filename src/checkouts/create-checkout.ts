import type { DbTransaction } from '../db/pools';
import { checkoutDeadline } from '../domain/checkout';
import { newIdentifier } from '../identifiers/identifier';
import { requireNamedCustomer, requireOfferedPlan } from '../subscriptions/require-offer';
import { writeOpening } from '../subscriptions/write-opening';
import { recordOpening } from '../subscriptions/open-internal-subscription';
import type { CustomerRow } from '../customers/customer-store';
import type { Actor } from '../tenancy/actor';
import { enqueueCheckoutSignal } from '../outbox/enqueue-signal';
import { recordPaymentOffered, recordPlanOffered } from './checkout-created-event';
import type { CreateCheckoutInput } from './checkout-input';
import { writeCheckout, type NewOffer } from './checkout-write-store';
import { replaceEarlierCheckout } from './replace-earlier-checkout';

/**
 * Creates a local-billing checkout in the open transaction. For a plan, it replaces an earlier checkout of the customer
 * in the plan group, and creates the subscription, which is `incomplete` unless nothing is due, and the transaction to
 * be paid. Otherwise it is for a one-time amount.
 *
 * @returns the checkout's id
 * @throws TollgateError customer_not_found, plan_not_found, plan_archived, subscription_exists (with `subscriptionId`),
 *   validation_failed for an amount that cannot be recorded
 */
export async function createCheckout(
  trx: DbTransaction,
  actor: Actor,
  input: CreateCheckoutInput,
): Promise<string> {
  const customer = await requireNamedCustomer(trx, actor.scope, input);
  const { amount: money, description } = input;
  if (money !== undefined && description !== undefined) {
    const once = { kind: 'payment', ...money, description, metadata: input.metadata } as const;
    return createOnce(trx, actor, customer, once, input);
  }
  return createOfPlan(trx, actor, customer, input);
}

async function createOfPlan(
  trx: DbTransaction,
  actor: Actor,
  customer: CustomerRow,
  input: CreateCheckoutInput,
): Promise<string> {
  const { scope, now } = actor;
  const plan = await requireOfferedPlan(trx, scope, input);
  const checkoutId = newIdentifier('checkout');
  await replaceEarlierCheckout(trx, actor, { customer, plan, checkoutId });
  const expiresAt = checkoutDeadline(now, input.expiresInMinutes);
  const { seats = 1, metadata } = input;
  const offer = { customer, plan, seats, metadata, incompleteUntil: expiresAt };
  const opening = await writeOpening(trx, scope, offer, now);
  const { subscription, transaction } = opening;
  const open = subscription.status === 'incomplete';
  await writeCheckout(trx, scope, {
    id: checkoutId,
    customerId: customer.id,
    offer: { kind: 'subscription', subscription, plan, transactionId: transaction?.id ?? null },
    provider: 'internal',
    connectionId: null,
    status: open ? 'open' : 'complete',
    ...addressesOf(input),
    expiresAt,
    nextWakeAt: expiresAt,
    createdAt: now,
  });
  const due =
    transaction !== null && open ? { amount: transaction.total, currency: transaction.currency } : null;
  await recordPlanOffered(trx, actor, {
    ...subscription,
    checkoutId,
    externalId: customer.externalId,
    planSlug: plan.slug,
    provider: 'internal',
    subscriptionId: subscription.id,
    transaction,
    due,
    isComplete: !open,
    expiresAt,
  });
  if (open) await enqueueCheckoutSignal(trx, scope, checkoutId);
  else await recordOpening(trx, actor, opening, customer, plan);
  return checkoutId;
}

async function createOnce(
  trx: DbTransaction,
  actor: Actor,
  { id: customerId, externalId }: CustomerRow,
  offer: Extract<NewOffer, { kind: 'payment' }>,
  input: CreateCheckoutInput,
): Promise<string> {
  const { scope, now } = actor;
  const checkoutId = newIdentifier('checkout');
  const expiresAt = checkoutDeadline(now, input.expiresInMinutes);
  await writeCheckout(trx, scope, {
    id: checkoutId,
    customerId,
    offer,
    provider: 'internal',
    connectionId: null,
    status: 'open',
    ...addressesOf(input),
    expiresAt,
    nextWakeAt: expiresAt,
    createdAt: now,
  });
  const { amount, currency, description } = offer;
  const offered = {
    checkoutId,
    customerId,
    externalId,
    provider: 'internal',
    due: { amount, currency },
  } as const;
  await recordPaymentOffered(trx, actor, { ...offered, description, expiresAt });
  await enqueueCheckoutSignal(trx, scope, checkoutId);
  return checkoutId;
}

/** Returns the requested addresses, which are only stored: local billing redirects no customer. */
function addressesOf(input: CreateCheckoutInput): { successUrl: string | null; cancelUrl: string | null } {
  return { successUrl: input.successUrl ?? null, cancelUrl: input.cancelUrl ?? null };
}
