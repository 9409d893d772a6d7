import type { ConnectionRef } from '../connections/connection-ref';
import { dateOrNull } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import { enqueueCheckoutSignal } from '../outbox/enqueue-signal';
import type { ProviderReference } from '../providers/provider-operations';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/actor';
import type { OfferedPlan } from '../domain/subscription';
import type { NewSubscription } from '../subscriptions/open-subscription-store';
import type { CheckoutRow, OfferedTerms } from './checkout-store';
import type { Provider } from '../domain/provider';

/** The offer of a new checkout: a subscription with the amount due for it, or a one-time amount. */
export type NewOffer =
  | { kind: 'subscription'; subscription: NewSubscription; plan: OfferedPlan; transactionId: string | null }
  | { kind: 'payment'; amount: bigint; currency: string; description: string; metadata: Metadata };

/** A checkout to insert. */
interface NewCheckout {
  id: string;
  customerId: string;
  offer: NewOffer;
  provider: Provider;
  /** Null in local billing. */
  connectionId: string | null;
  status: 'open' | 'complete';
  successUrl: string | null;
  cancelUrl: string | null;
  expiresAt: Instant;
  /** When its workflow has to act next: the deadline in local billing. */
  nextWakeAt: Instant;
  createdAt: Instant;
}

/** Inserts the checkout; a checkout whose page could not be created is offered again under its id. */
export async function writeCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  checkout: NewCheckout,
): Promise<void> {
  const { id, offer } = checkout;
  const createdAt = new Date(checkout.createdAt);
  const open = checkout.status === 'open';
  const sale = offer.kind === 'subscription' ? offer : null;
  const once = offer.kind === 'payment' ? offer : null;
  const columns = {
    customer_id: checkout.customerId,
    kind: offer.kind,
    subscription_id: sale?.subscription.id ?? null,
    transaction_id: sale?.transactionId ?? null,
    trial_days: sale?.plan.trialDays ?? 0,
    terms: sale === null ? null : JSON.stringify(termsOf(sale)),
    amount: once?.amount.toString() ?? null,
    currency: once?.currency ?? null,
    description: once?.description ?? null,
    metadata: once === null ? null : JSON.stringify(once.metadata),
    provider: checkout.provider,
    connection_id: checkout.connectionId,
    status: checkout.status,
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
    failure: null,
    looks: 0,
    secret_version: null,
    unanswered_since: null,
    given_up_at: null,
    expires_at: new Date(checkout.expiresAt),
    completed_at: open ? null : createdAt,
    next_wake_at: open ? new Date(checkout.nextWakeAt) : null,
    created_at: createdAt,
    updated_at: createdAt,
  };
  await trx('tollgate.checkouts')
    .insert({ ...tenantColumns(scope), id, ...columns })
    .onConflict(['workspace_id', 'environment', 'id'])
    .merge(columns);
}

function termsOf({ subscription, plan }: Extract<NewOffer, { kind: 'subscription' }>): OfferedTerms {
  const { planId, seats, unitAmount, interval, pricing, tax } = subscription;
  return { planId, planSlug: plan.slug, seats, unitAmount: unitAmount.toString(), interval, pricing, tax };
}

/** Locks a checkout's row for this transaction. For a checkout that offers a subscription, that row is locked first. */
export async function lockCheckoutRow(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<void> {
  await checkouts(trx, scope).where({ id }).forNoKeyUpdate().select('id');
}

type Change = Partial<
  Pick<
    CheckoutRow,
    'status' | 'url' | 'failure' | 'polls' | 'nextWakeAt' | 'unansweredSince' | 'givenUpAt' | 'completedAt'
  >
> & {
  /** Its reference at the provider, and the version of the secrets with which it was created. */
  created?: { reference: ProviderReference; secretVersion: number };
};

/** Saves changes of a checkout whose row the caller has locked. @param now the workspace's time */
export async function saveCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  change: Change,
  now: Instant,
): Promise<void> {
  const { status, url, failure, polls, nextWakeAt, unansweredSince, givenUpAt, completedAt, created } =
    change;
  await checkouts(trx, scope)
    .where({ id })
    .update({
      ...(status !== undefined && { status }),
      ...(url !== undefined && { url }),
      ...(failure !== undefined && { failure }),
      ...(polls !== undefined && { looks: polls }),
      ...(nextWakeAt !== undefined && { next_wake_at: dateOrNull(nextWakeAt) }),
      ...(unansweredSince !== undefined && { unanswered_since: dateOrNull(unansweredSince) }),
      ...(givenUpAt !== undefined && { given_up_at: dateOrNull(givenUpAt) }),
      ...(completedAt !== undefined && { completed_at: dateOrNull(completedAt) }),
      ...(created !== undefined && {
        reference_kind: created.reference.kind,
        reference: created.reference.reference,
        secret_version: created.secretVersion,
      }),
      updated_at: new Date(now),
    });
}

type AboutCheckouts = ({ checkoutId: string } | { subscriptionId: string } | { customerId: string }) & {
  status?: 'open' | 'expired';
};

/**
 * Makes the workflows of checkouts at a provider poll it at once, because a webhook concerns them or their customer.
 * Ended checkouts are polled too, because a late payment is reported, once.
 *
 * @param about the checkout, the one of a subscription, or those of a customer; optionally of one status
 * @param now the workspace's time
 */
export async function wakeCheckouts(
  trx: DbTransaction,
  { scope, id: connectionId }: ConnectionRef,
  about: AboutCheckouts,
  now: Instant,
): Promise<void> {
  const waking = checkouts(trx, scope)
    .where({ connection_id: connectionId })
    .whereNotNull('reference')
    .whereNull('completed_at');
  if ('checkoutId' in about) void waking.where({ id: about.checkoutId });
  else if ('subscriptionId' in about) void waking.where({ subscription_id: about.subscriptionId });
  else void waking.where({ customer_id: about.customerId });
  if (about.status !== undefined) void waking.where({ status: about.status });
  const woken = await waking.update({ next_wake_at: new Date(now) }).returning<{ id: string }[]>('id');
  for (const { id } of woken) await enqueueCheckoutSignal(trx, scope, id);
}

function checkouts(trx: DbTransaction, scope: WorkspaceScope) {
  return trx('tollgate.checkouts').where(tenantColumns(scope));
}
