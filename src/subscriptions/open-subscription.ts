import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { findPlan } from '../catalog/plan-store';
import { requirePlan } from '../catalog/plans';
import { findCustomer, type CustomerRow } from '../customers/customer-store';
import { requireCustomer } from '../customers/require-customer';
import type { Transaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { nextWake } from '../domain/lifecycle';
import { openSubscription, type OfferedPlan } from '../domain/subscription';
import { recordDeveloperEvent } from '../events/developer-event-store';
import { newIdentifier } from '../identifiers/identifier';
import { enqueue } from '../outbox/enqueue';
import { readSettings } from '../settings/settings-store';
import type { Actor, WorkspaceScope } from '../tenancy/scope';
import {
  findOpenSubscription,
  insertOpenSubscription,
  type NewSubscription,
} from './open-subscription-store';
import {
  toSubscriptionResource,
  type createSubscriptionInput,
  type SubscriptionResource,
} from './subscription-resource';
import { findSubscription } from './subscription-store';

export type OpenSubscriptionInput = z.output<typeof createSubscriptionInput>;

/**
 * Opens a subscription of local billing in the open transaction: the row, its event, its audit record, and the
 * job that wakes its workflow, all or nothing.
 *
 * @throws TollgateError customer_not_found, plan_not_found, plan_archived, subscription_exists (with
 *   `subscriptionId`), validation_failed for an anchor too far ahead
 */
export async function openInTransaction(
  trx: Transaction,
  actor: Actor,
  input: OpenSubscriptionInput,
): Promise<SubscriptionResource> {
  const { scope, now } = actor;
  const customer = await requireNamedCustomer(trx, scope, input);
  const plan = await requireOfferedPlan(trx, scope, input);
  const { timeZone } = await readSettings(trx, scope);
  const opened = openSubscription({
    plan,
    seats: input.seats,
    ...(input.anchor === undefined ? {} : { anchor: input.anchor }),
    timeZone,
    now,
  });
  const wake = nextWake(opened, now);
  const subscription: NewSubscription = {
    ...opened,
    id: newIdentifier('subscription'),
    customerId: customer.id,
    provider: 'internal',
    metadata: input.metadata,
    nextWakeAt: wake.kind === 'wait' ? wake.at : null,
    createdAt: now,
  };
  if (!(await insertOpenSubscription(trx, scope, subscription))) {
    throw await alreadyOpen(trx, scope, customer, plan);
  }
  await recordOpening(trx, actor, subscription, customer, plan);
  const row = await findSubscription(trx, scope, subscription.id);
  if (row === undefined) throw new Error('A subscription that was just written is not there.');
  return toSubscriptionResource(row, now);
}

async function requireNamedCustomer(
  trx: Transaction,
  scope: WorkspaceScope,
  { customerId, externalId = '' }: OpenSubscriptionInput,
): Promise<CustomerRow> {
  const name = customerId === undefined ? { externalId } : { id: customerId };
  return requireCustomer(await findCustomer(trx, scope, name), customerId ?? externalId);
}

async function requireOfferedPlan(
  trx: Transaction,
  scope: WorkspaceScope,
  { planId, planSlug = '' }: OpenSubscriptionInput,
): Promise<OfferedPlan> {
  const name = planId === undefined ? { slug: planSlug } : { id: planId };
  const plan = requirePlan(await findPlan(trx, scope, name, 'share'), planId ?? planSlug);
  const { planGroup } = plan;
  if (plan.archivedAt === null && planGroup.archivedAt !== null) {
    throw new TollgateError(
      'plan_archived',
      `The plan "${plan.slug}" is in the archived group "${planGroup.slug}".`,
    );
  }
  return {
    id: plan.id,
    slug: plan.slug,
    planGroupId: plan.planGroupId,
    price: { amount: BigInt(plan.priceAmount), currency: plan.priceCurrency },
    interval: plan.billingInterval,
    pricing: plan.pricing,
    trialDays: plan.trialDays,
    archived: plan.archivedAt !== null,
  };
}

async function alreadyOpen(
  trx: Transaction,
  scope: WorkspaceScope,
  customer: CustomerRow,
  plan: OfferedPlan,
): Promise<TollgateError> {
  const open = await findOpenSubscription(trx, scope, customer.id, plan.planGroupId);
  const which = open === undefined ? 'an open subscription' : `the open subscription ${open.id}`;
  return new TollgateError(
    'subscription_exists',
    `The customer "${customer.externalId}" has ${which} in the plan group of "${plan.slug}".`,
    open === undefined ? { retryAfter: 1 } : { extra: { subscriptionId: open.id } },
  );
}

async function recordOpening(
  trx: Transaction,
  actor: Actor,
  subscription: NewSubscription,
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
  };
  const event = {
    type: 'SUBSCRIPTION_CREATED',
    status: 'OK',
    message: `${externalId} subscribed to ${plan.slug}${seats === 1 ? '' : ` with ${seats} seats`}.`,
    source: actor.reason === 'API_KEY' ? 'api' : 'console',
    data,
  } as const;
  await recordDeveloperEvent(trx, scope, event, actor.receivedAt);
  await recordAudit(trx, actor, { action: 'subscription.created', target: subscriptionId, detail: data });
  const key = `subscription/${scope.environment}/${subscriptionId}`;
  await enqueue(trx, 'poke-subscription', { ...scope, subscriptionId }, key);
}
