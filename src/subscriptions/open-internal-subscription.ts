import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import type { CustomerRow } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import type { OfferedPlan } from '../domain/subscription';
import { enqueueSubscriptionSignal } from '../outbox/enqueue-signal';
import { toMoney } from '../schemas/money';
import type { Actor } from '../tenancy/actor';
import { requireNamedCustomer, requireOfferedPlan } from './require-offer';
import { writeOpening, type Opening } from './write-opening';
import { recordSubscriptionEvent, timesOf } from './subscription-history-store';
import {
  toSubscriptionResource,
  type createSubscriptionInput,
  type SubscriptionResource,
} from './subscription-resource';
import { findSubscription } from './subscription-store';
import { requireWritten } from './require-subscription';

export type OpenSubscriptionInput = z.output<typeof createSubscriptionInput>;

/**
 * Opens a subscription of local billing in the open transaction: the row, its first period's charge, its history and
 * event, its audit record, and the job that wakes its workflow, all or nothing.
 *
 * @throws TollgateError customer_not_found, plan_not_found, plan_archived, subscription_exists (with `subscriptionId`),
 *   validation_failed for an anchor too far ahead or an amount that cannot be recorded
 */
export async function openInternalSubscription(
  trx: DbTransaction,
  actor: Actor,
  input: OpenSubscriptionInput,
): Promise<SubscriptionResource> {
  const { scope, now } = actor;
  const { seats, anchor, metadata } = input;
  const customer = await requireNamedCustomer(trx, scope, input);
  const plan = await requireOfferedPlan(trx, scope, input);
  const opening = await writeOpening(trx, scope, { customer, plan, seats, anchor, metadata }, now);
  await recordOpening(trx, actor, opening, customer, plan);
  const row = requireWritten(await findSubscription(trx, scope, opening.subscription.id));
  return toSubscriptionResource(row, now);
}

/** Writes the history, event and audit record of an opened subscription, and the job that wakes its workflow. */
export async function recordOpening(
  trx: DbTransaction,
  actor: Actor,
  { subscription, transaction }: Opening,
  customer: CustomerRow,
  plan: OfferedPlan,
): Promise<void> {
  const { scope } = actor;
  const { id: subscriptionId, seats, status } = subscription;
  const { externalId } = customer;
  const data = {
    subscriptionId,
    customerId: customer.id,
    externalId,
    planId: plan.id,
    plan: plan.slug,
    seats,
    status,
    currentPeriodStart: new Date(subscription.currentPeriodStart).toISOString(),
    currentPeriodEnd: new Date(subscription.currentPeriodEnd).toISOString(),
    ...(transaction === null
      ? {}
      : { transactionId: transaction.id, total: toMoney(transaction.total, transaction.currency) }),
  };
  const entry = {
    subscriptionId,
    kind: 'created',
    type: 'SUBSCRIPTION_CREATED',
    status: 'OK',
    message: `${externalId} subscribed to ${plan.slug}${seats === 1 ? '' : ` with ${seats} seats`}.`,
    source: actor.reason === 'API_KEY' ? 'api' : 'console',
    data,
  } as const;
  await recordSubscriptionEvent(trx, scope, entry, timesOf(actor));
  await recordAudit(trx, actor, { action: 'subscription.created', target: subscriptionId, detail: data });
  await enqueueSubscriptionSignal(trx, scope, subscriptionId);
}
