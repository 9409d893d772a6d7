import type { DbTransaction } from '../../db/pools';
import { DAY_MS, type Instant } from '../../domain/instant';
import { cancelNow, nextWake } from '../../domain/lifecycle';
import { displayPlan } from '../../domain/display-text';
import { recordPayment } from '../../payments/record-payment';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { findBilledSubscription } from '../../subscriptions/billed-subscription-store';
import { saveBilledSubscription } from '../../subscriptions/save-subscription-store';
import { recordSubscriptionEvent } from '../../subscriptions/subscription-history-store';
import { takeDueStep } from '../../subscriptions/subscription-steps';
import { listSubscriptions } from '../../subscriptions/subscription-store';
import { listOpenTransactions, voidOpenTransactions } from '../../subscriptions/transaction-store';
import type { Actor } from '../../tenancy/actor';
import { DEMO_CUSTOMERS, type DemoCustomer } from './demo-customers';

type ActorAt = (instant: Instant) => Actor;

/**
 * Takes the demo's subscriptions through the time since they were opened, as their workflows would have. Customers pay
 * on the day, except those that show what happens without a payment.
 */
export async function billDemoSubscriptions(
  trx: DbTransaction,
  actorAt: ActorAt,
  now: Instant,
): Promise<void> {
  for (const customer of DEMO_CUSTOMERS) {
    const subscription = await lockSubscriptionOf(trx, customer, actorAt(now));
    if (subscription !== undefined) await bill(trx, customer, subscription, actorAt, now);
  }
}

/** Cancels the subscriptions that demonstrate a cancellation. */
export async function cancelDemoSubscriptions(
  trx: DbTransaction,
  actorAt: ActorAt,
  now: Instant,
): Promise<void> {
  for (const customer of DEMO_CUSTOMERS) {
    if (customer.ends === undefined) continue;
    const actor = actorAt(now - customer.ends.daysAgo * DAY_MS);
    const subscription = await lockSubscriptionOf(trx, customer, actor);
    if (subscription !== undefined) await cancel(trx, subscription, actor);
  }
}

async function lockSubscriptionOf(
  trx: DbTransaction,
  { externalId }: DemoCustomer,
  { scope }: Actor,
): Promise<BilledSubscription | undefined> {
  const [row] = await listSubscriptions(trx, scope, { externalId, limit: 1 });
  return row && findBilledSubscription(trx, scope, row.id, 'lock');
}

async function bill(
  trx: DbTransaction,
  customer: DemoCustomer,
  opened: BilledSubscription,
  actorAt: ActorAt,
  now: Instant,
): Promise<void> {
  const until = customer.ends === undefined ? now : now - customer.ends.daysAgo * DAY_MS;
  const pay = async (subscription: BilledSubscription, at: Instant): Promise<BilledSubscription> =>
    customer.unpaid === true ? subscription : payOpen(trx, subscription, actorAt(at));
  let subscription = await pay(opened, opened.startedAt);
  let wake = nextWake(subscription, until);
  while (wake.kind === 'due') {
    const { step, boundary } = wake;
    const key = `${subscription.id}:${step}:${boundary}`;
    const due = { subscriptionId: subscription.id, step, boundary, at: boundary, key };
    const taken = await takeDueStep(trx, actorAt(boundary).scope, subscription, due, boundary);
    subscription = await pay(taken, boundary);
    wake = nextWake(subscription, until);
  }
}

async function payOpen(
  trx: DbTransaction,
  subscription: BilledSubscription,
  actor: Actor,
): Promise<BilledSubscription> {
  let after = subscription;
  for (const { id, total, amountPaid, currency } of await listOpenTransactions(trx, actor.scope, after.id)) {
    const amount = { amount: total - amountPaid, currency };
    const input = { transactionId: id, amount, reference: 'Demo transfer', receivedAt: null };
    after = (await recordPayment(trx, actor, after, input)).subscription;
  }
  return after;
}

async function cancel(trx: DbTransaction, subscription: BilledSubscription, actor: Actor): Promise<void> {
  const { scope, now } = actor;
  await voidOpenTransactions(trx, scope, subscription.id, now);
  const cancelled = { ...cancelNow(subscription), scheduled: null, cancelledAt: now };
  const { id, externalId, ...after } = await saveBilledSubscription(trx, scope, cancelled, now);
  await recordSubscriptionEvent(
    trx,
    scope,
    {
      subscriptionId: id,
      kind: 'cancelled',
      type: 'SUBSCRIPTION_CHANGED',
      status: 'OK',
      message: `${externalId}'s subscription to ${displayPlan(after)} was cancelled.`,
      source: 'billing',
      data: { customerId: after.customerId, externalId, status: after.status },
    },
    { happenedAt: now, recordedAt: now },
  );
}
