import { newestFirst } from '../db/newest-first';
import type { Transaction } from '../db/pools';
import type { CheckoutStatus } from '../domain/checkout';
import type { Instant } from '../domain/instant';
import type { BillingInterval, Pricing, Provider } from '../domain/subscription-types';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/scope';
import { announceCheckout } from './announce-checkout';

/** A checkout with what it offers: the terms of its subscription. */
export interface CheckoutRow {
  id: string;
  customerId: string;
  externalId: string;
  subscriptionId: string;
  planId: string;
  planSlug: string;
  seats: number;
  /** Minor units as text, a seat where `per_seat`. */
  unitAmount: string;
  currency: string;
  interval: BillingInterval;
  pricing: Pricing;
  metadata: Metadata;
  /** Null where nothing is to pay yet, as before a trial. */
  transactionId: string | null;
  provider: Provider;
  status: CheckoutStatus;
  /** Where the customer pays, for a provider that has such a page. */
  url: string | null;
  expiresAt: Instant;
  completedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
}

const COLUMNS = {
  id: 'k.id',
  customerId: 'k.customer_id',
  externalId: 'c.external_id',
  subscriptionId: 'k.subscription_id',
  planId: 's.plan_id',
  planSlug: 'p.slug',
  seats: 's.seats',
  unitAmount: 's.unit_amount',
  currency: 's.currency',
  interval: 's.billing_interval',
  pricing: 's.pricing',
  metadata: 's.metadata',
  transactionId: 'k.transaction_id',
  provider: 'k.provider',
  status: 'k.status',
  url: 'k.url',
  expiresAt: 'k.expires_at',
  completedAt: 'k.completed_at',
  createdAt: 'k.created_at',
  updatedAt: 'k.updated_at',
};

export interface CheckoutFilter {
  status?: CheckoutStatus;
  customerId?: string;
  subscriptionId?: string;
}

/** A checkout that is about to be made. */
export type NewCheckout = Pick<
  CheckoutRow,
  'id' | 'customerId' | 'subscriptionId' | 'transactionId' | 'provider' | 'expiresAt' | 'createdAt'
> & { status: 'open' | 'complete' };

export async function insertCheckout(
  trx: Transaction,
  scope: WorkspaceScope,
  checkout: NewCheckout,
): Promise<void> {
  const [createdAt, expiresAt] = [new Date(checkout.createdAt), new Date(checkout.expiresAt)];
  const open = checkout.status === 'open';
  await trx('tollgate.checkouts').insert({
    workspace_id: scope.workspaceId,
    environment: scope.environment,
    id: checkout.id,
    customer_id: checkout.customerId,
    subscription_id: checkout.subscriptionId,
    transaction_id: checkout.transactionId,
    provider: checkout.provider,
    status: checkout.status,
    expires_at: expiresAt,
    completed_at: open ? null : createdAt,
    next_wake_at: open ? expiresAt : null,
    created_at: createdAt,
    updated_at: createdAt,
  });
}

export async function findCheckout(
  trx: Transaction,
  scope: WorkspaceScope,
  id: string,
): Promise<CheckoutRow | undefined> {
  return checkouts(trx, scope).where('k.id', id).first<CheckoutRow | undefined>(COLUMNS);
}

/**
 * Newest first, by creation and then id.
 *
 * @param page `before` is the creation and id of the last row of the page before
 */
export async function listCheckouts(
  trx: Transaction,
  scope: WorkspaceScope,
  page: CheckoutFilter & { limit: number; before?: { createdAt: Instant; id: string } },
): Promise<CheckoutRow[]> {
  const query = checkouts(trx, scope).select<CheckoutRow[]>(COLUMNS);
  newestFirst(query, 'k', page);
  const { status, customerId, subscriptionId } = page;
  if (status !== undefined) void query.where('k.status', status);
  if (customerId !== undefined) void query.where('k.customer_id', customerId);
  if (subscriptionId !== undefined) void query.where('k.subscription_id', subscriptionId);
  return query;
}

/**
 * Nothing more is paid by the checkout of a subscription, if it has one that is open; its workflow is told. The caller
 * holds the lock of the subscription's row, and closes the subscription itself.
 *
 * @param now the workspace's time
 */
export async function expireCheckoutOf(
  trx: Transaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  now: Instant,
): Promise<void> {
  await closeCheckoutOf(trx, scope, subscriptionId, { status: 'expired', now });
}

/** What the checkout of a subscription offered is paid. The caller holds the lock of the subscription's row. */
export async function markCheckoutComplete(
  trx: Transaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  now: Instant,
): Promise<string | undefined> {
  return closeCheckoutOf(trx, scope, subscriptionId, { status: 'complete', now });
}

async function closeCheckoutOf(
  trx: Transaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  { status, now }: { status: 'complete' | 'expired'; now: Instant },
): Promise<string | undefined> {
  const [closed] = await trx('tollgate.checkouts')
    .where({
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      subscription_id: subscriptionId,
      status: 'open',
    })
    .update({
      status,
      completed_at: status === 'complete' ? new Date(now) : null,
      next_wake_at: null,
      updated_at: new Date(now),
    })
    .returning<{ id: string }[]>('id');
  if (closed !== undefined) await announceCheckout(trx, scope, closed.id);
  return closed?.id;
}

function checkouts(trx: Transaction, scope: WorkspaceScope) {
  const ofTenant = (alias: string) => ({
    [`${alias}.workspace_id`]: scope.workspaceId,
    [`${alias}.environment`]: scope.environment,
  });
  return trx({ k: 'tollgate.checkouts' })
    .join({ s: 'tollgate.subscriptions' }, 's.id', 'k.subscription_id')
    .join({ c: 'tollgate.customers' }, 'c.id', 'k.customer_id')
    .join({ p: 'tollgate.plans' }, 'p.id', 's.plan_id')
    .where(ofTenant('k'))
    .where(ofTenant('s'))
    .where(ofTenant('c'))
    .where(ofTenant('p'));
}
