import type Router from '@koa/router';
import type { Context } from 'koa';
import type { z } from 'zod';
import { namedCall } from '../core/named-call';
import { accountOf } from './authentication';
import { readAmount, readBalance } from './amounts';
import { applyRevision, captureOutstanding, end, reduceOutstanding, resume, suspend } from './billing';
import { newId } from './identifiers';
import { answer, notFound, readQuery, unprocessable } from './problem';
import { onceForRequestId, readRequest, REQUEST_ID_LIVES } from './requests';
import type { Account, Plan, Simulation, Subscription } from './state';
import { revisionApprovalPage, subscriptionApprovalPage, subscriptionObject } from './subscription-objects';
import { ownAddress } from './own-address';
import { tell } from './subscription-events';
import {
  activateRequest,
  captureRequest,
  createRequest,
  patchRequest,
  reviseRequest,
  subscriptionQuery,
  withReason,
} from './subscription-requests';

/** `/v1/billing/subscriptions`: create, read, revise, suspend, activate, capture or reduce what is owed, cancel. */
export function subscriptionRoutes(simulation: Simulation, router: Router): void {
  const path = '/v1/billing/subscriptions';
  router.post(path, (ctx) => create(simulation, ctx));
  router.get(`${path}/:id`, (ctx) => {
    const account = accountOf(simulation, ctx);
    const subscription = find(account, ctx.params['id']);
    const { fields } = readQuery(ctx, subscriptionQuery);
    const self = `${ownAddress(ctx)}${path}/${subscription.id}`;
    answer(ctx, 200, {
      ...subscriptionObject(account, subscription, fields !== undefined),
      links: [
        { href: `${self}/cancel`, rel: 'cancel', method: 'POST' },
        { href: self, rel: 'self', method: 'GET' },
      ],
    });
  });
  router.post(`${path}/:id/revise`, async (ctx) => {
    const account = accountOf(simulation, ctx);
    const { body } = await readRequest(ctx, reviseRequest);
    answer(ctx, 200, revise(simulation, ctx, account, find(account, ctx.params['id']), body));
  });
  router.post(`${path}/:id/cancel`, async (ctx) => {
    const account = accountOf(simulation, ctx);
    await readRequest(ctx, withReason);
    const subscription = find(account, ctx.params['id']);
    // It cannot be cancelled before its approval either.
    assertStatus(subscription, ['ACTIVE', 'SUSPENDED']);
    end(simulation, account, subscription, 'CANCELLED');
    ctx.status = 204;
  });
  router.post(`${path}/:id/suspend`, async (ctx) => {
    const account = accountOf(simulation, ctx);
    await readRequest(ctx, withReason);
    const subscription = find(account, ctx.params['id']);
    assertStatus(subscription, ['ACTIVE'], 'suspend', 'active');
    suspend(simulation, account, subscription);
    ctx.status = 204;
  });
  router.post(`${path}/:id/activate`, async (ctx) => {
    const account = accountOf(simulation, ctx);
    await readRequest(ctx, activateRequest, {});
    const subscription = find(account, ctx.params['id']);
    // A cancelled subscription cannot be activated again.
    assertStatus(subscription, ['SUSPENDED'], 'activate', 'suspended');
    resume(simulation, account, subscription);
    ctx.status = 204;
  });
  router.patch(`${path}/:id`, async (ctx) => {
    const account = accountOf(simulation, ctx);
    const [{ value }] = (await readRequest(ctx, patchRequest)).body;
    const subscription = find(account, ctx.params['id']);
    assertStatus(subscription, ['ACTIVE', 'SUSPENDED']);
    reduceOutstanding(simulation, account, subscription, readBalance(value));
    ctx.status = 204;
  });
  router.post(`${path}/:id/capture`, async (ctx) => {
    const account = accountOf(simulation, ctx);
    const { body } = await readRequest(ctx, captureRequest);
    const subscription = find(account, ctx.params['id']);
    assertStatus(subscription, ['ACTIVE', 'SUSPENDED', 'EXPIRED', 'CANCELLED'], 'capture', 'approved');
    captureOutstanding(simulation, account, subscription, readAmount(body.amount));
    ctx.status = 202;
    ctx.body = '';
  });
}

const renderCreated = namedCall(
  'b.subscription',
  (address: string, account: Account, subscription: Subscription) => {
    const self = `${address}/v1/billing/subscriptions/${subscription.id}`;
    return {
      ...subscriptionObject(account, subscription),
      links: [
        ...(subscription.status === 'APPROVAL_PENDING'
          ? [{ href: subscriptionApprovalPage(address, subscription), rel: 'approve', method: 'GET' }]
          : []),
        { href: self, rel: 'edit', method: 'PATCH' },
        { href: self, rel: 'self', method: 'GET' },
      ],
    };
  },
);

async function create(simulation: Simulation, ctx: Context): Promise<void> {
  const account = accountOf(simulation, ctx);
  const { body, raw } = await readRequest(ctx, createRequest);
  const life = REQUEST_ID_LIVES.subscription;
  const { status, body: made } = onceForRequestId(simulation, account, ctx, { raw, life }, () => {
    const plan = usablePlan(account, body.plan_id, body.quantity);
    const subscription = newSubscription(plan, body, simulation.core.clock.now());
    account.subscriptions.set(subscription.id, subscription);
    tell(simulation, account, subscription, 'CREATED', 'Subscription created');
    return renderCreated(ownAddress(ctx), account, subscription);
  });
  answer(ctx, status, made);
}

/**
 * Prepares a change. The response repeats the request, without id and status, and does not say whether it is in effect:
 * a wallet's payer must consent first, and a card's revision takes effect at once.
 */
function revise(
  simulation: Simulation,
  ctx: Context,
  account: Account,
  subscription: Subscription,
  request: z.infer<typeof reviseRequest>,
): unknown {
  assertStatus(subscription, ['ACTIVE']);
  const plan = usablePlan(account, request.plan_id ?? subscription.planId, request.quantity);
  if (plan.productId !== account.plans.get(subscription.planId)?.productId) {
    throw unprocessable('PLAN_PRODUCT_NOT_COMPATIBLE', 'The plan belongs to a different product.');
  }
  const revision = {
    token: `BA-${newId()}`,
    planId: plan.id,
    quantity: revisedQuantity(plan, request.quantity),
    returnUrl: request.application_context?.return_url,
    cancelUrl: request.application_context?.cancel_url,
  };
  subscription.revision = revision;
  const consent = subscription.funding === 'wallet';
  if (!consent) applyRevision(simulation, account, subscription);
  return {
    plan_id: plan.id,
    ...(request.quantity === undefined ? {} : { quantity: request.quantity }),
    plan_overridden: false,
    links: [
      ...(consent ? [{ href: revisionApprovalPage(ctx, revision), rel: 'approve', method: 'GET' }] : []),
      { href: `${ownAddress(ctx)}/v1/billing/subscriptions/${subscription.id}`, rel: 'self', method: 'GET' },
    ],
  };
}

/** Returns the new quantity. An omitted quantity is unchanged, but a plan without quantities is billed once. */
function revisedQuantity(plan: Plan, requested: string | undefined): number | undefined {
  if (!plan.quantitySupported) return 1;
  return requested === undefined ? undefined : Number(requested);
}

function find(account: Account, id: string | undefined): Subscription {
  const subscription = account.subscriptions.get(id ?? '');
  if (subscription === undefined) throw notFound();
  return subscription;
}

function usablePlan(account: Account, id: string, seats: string | undefined): Plan {
  const plan = account.plans.get(id);
  if (plan === undefined) throw notFound();
  if (plan.status !== 'ACTIVE') throw unprocessable('PLAN_STATUS_INVALID', 'The plan is not active.');
  if (seats !== undefined && !plan.quantitySupported) {
    throw unprocessable(
      'SUBSCRIPTION_CANNOT_HAVE_QUANTITY',
      'The plan of this subscription has no quantity.',
    );
  }
  return plan;
}

function assertStatus(
  subscription: Subscription,
  allowed: readonly Subscription['status'][],
  action = 'this',
  needed = 'active or suspended',
): void {
  if (allowed.includes(subscription.status)) return;
  throw unprocessable(
    'SUBSCRIPTION_STATUS_INVALID',
    `Invalid subscription status for ${action} action; subscription status should be ${needed}.`,
  );
}

function newSubscription(plan: Plan, request: z.infer<typeof createRequest>, now: number): Subscription {
  return {
    id: `I-${newId(12)}`,
    status: 'APPROVAL_PENDING',
    token: `BA-${newId()}`,
    planId: plan.id,
    quantity: request.quantity === undefined ? undefined : Number(request.quantity),
    customId: request.custom_id,
    email: request.subscriber?.email_address,
    payerId: null,
    funding: 'wallet',
    createdAt: now,
    updatedAt: now,
    startTime: now,
    nextBillingTime: null,
    cyclesCompleted: 0,
    failedPayments: 0,
    lastPayment: null,
    returnUrl: request.application_context?.return_url,
    cancelUrl: request.application_context?.cancel_url,
    revision: null,
    due: null,
  };
}
