import { newestFirst } from '../db/newest-first';
import type { CreationPart } from '../pagination/page-by-creation';
import type { DbTransaction } from '../db/pools';
import type { CheckoutKind, CheckoutStatus } from '../domain/checkout';
import type { Instant } from '../domain/instant';
import type { BillingInterval, Pricing } from '../domain/subscription-types';
import type { ReferenceKind } from '../providers/canonical-event';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Provider } from '../domain/provider';
import type { TaxSnapshot } from '../domain/tax';
import { ofCustomer, type CustomerFilter } from '../customers/of-customer-store';

/** The plan's terms that a checkout offers, whatever its subscription has been changed to since. */
export interface OfferedTerms {
  planId: string;
  planSlug: string;
  seats: number;
  /** Minor units as text; per seat if `per_seat`. */
  unitAmount: string;
  interval: BillingInterval;
  pricing: Pricing;
  tax: TaxSnapshot;
}

/** The terms are all null for a one-time amount. */
type MaybeOffered = { [Name in keyof OfferedTerms]: OfferedTerms[Name] | null };

/** A checkout with its offer. */
export interface CheckoutRow extends MaybeOffered {
  id: string;
  kind: CheckoutKind;
  /** Null for a one-time amount. */
  subscriptionId: string | null;
  /** End of the trial before the first charge; null without one. */
  trialEnd: Instant | null;
  customerId: string;
  externalId: string;
  currency: string;
  /** One-time amount, minor units as text, and its description; null if a plan is offered. */
  amount: string | null;
  description: string | null;
  metadata: Metadata;
  /** Days of trial before the first charge; 0 without one. */
  trialDays: number;
  /** Null if nothing is due yet, as before a trial, and if a provider collects. */
  transactionId: string | null;
  provider: Provider;
  /** The account at the provider; null in local billing. */
  connectionId: string | null;
  /** The reference used to read it from the provider; null until it is created there. */
  referenceKind: ReferenceKind | null;
  reference: string | null;
  /** Version of the connection's secrets with which it was created; null before, and if unknown. */
  secretVersion: number | null;
  status: CheckoutStatus;
  /** The page where the customer pays, if the provider has one. */
  url: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  /** Why there is no page, or why a payment could not be used. */
  failure: string | null;
  /** Number of polls of the provider; before it is created there, number of creation attempts. */
  polls: number;
  expiresAt: Instant;
  /** When the next action is due (the workspace's time); for an ended checkout, ending it at the provider. */
  nextWakeAt: Instant | null;
  /** When its provider first failed to answer a poll; null once it answers. */
  unansweredSince: Instant | null;
  /** When it was cancelled here; it stays open until its provider confirms that it was not paid. */
  givenUpAt: Instant | null;
  completedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
}

type StoredCheckout = CheckoutRow & { terms: OfferedTerms | null };

/** The terms are those of the subscription, which apply if the checkout has stored none. */
const COLUMNS = {
  id: 'k.id',
  kind: 'k.kind',
  customerId: 'k.customer_id',
  externalId: 'c.external_id',
  subscriptionId: 'k.subscription_id',
  planId: 's.plan_id',
  planSlug: 'p.slug',
  seats: 's.seats',
  unitAmount: 's.unit_amount',
  interval: 's.billing_interval',
  pricing: 's.pricing',
  trialEnd: 's.trial_end',
  tax: 's.tax',
  terms: 'k.terms',
  trialDays: 'k.trial_days',
  amount: 'k.amount',
  description: 'k.description',
  transactionId: 'k.transaction_id',
  provider: 'k.provider',
  connectionId: 'k.connection_id',
  referenceKind: 'k.reference_kind',
  reference: 'k.reference',
  secretVersion: 'k.secret_version',
  status: 'k.status',
  url: 'k.url',
  successUrl: 'k.success_url',
  cancelUrl: 'k.cancel_url',
  failure: 'k.failure',
  polls: 'k.looks',
  expiresAt: 'k.expires_at',
  nextWakeAt: 'k.next_wake_at',
  unansweredSince: 'k.unanswered_since',
  givenUpAt: 'k.given_up_at',
  completedAt: 'k.completed_at',
  createdAt: 'k.created_at',
  updatedAt: 'k.updated_at',
} satisfies Partial<Record<keyof StoredCheckout, string>>;

export interface CheckoutFilter extends CustomerFilter {
  kind?: CheckoutKind;
  provider?: Provider;
  status?: CheckoutStatus;
  subscriptionId?: string;
}

export async function findCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await selected(trx, checkouts(trx, scope).where('k.id', id));
  return row === undefined ? undefined : toCheckout(row);
}

/**
 * Lists checkouts, newest first, by creation and then id.
 *
 * @param page `before` is the creation time and id of the last row of the previous page
 */
export async function listCheckouts(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: CheckoutFilter & CreationPart,
): Promise<CheckoutRow[]> {
  const query = checkouts(trx, scope);
  newestFirst(query, 'k', page);
  const { kind, provider, status, subscriptionId } = page;
  if (kind !== undefined) void query.where('k.kind', kind);
  if (provider !== undefined) void query.where('k.provider', provider);
  if (status !== undefined) void query.where('k.status', status);
  ofCustomer(query, 'k.customer_id', scope, page);
  if (subscriptionId !== undefined) void query.where('k.subscription_id', subscriptionId);
  return (await selected(trx, query)).map(toCheckout);
}

function selected(trx: DbTransaction, query: ReturnType<typeof checkouts>) {
  return query.select<StoredCheckout[]>(
    COLUMNS,
    trx.raw('coalesce(s.currency, k.currency) AS currency'),
    trx.raw("coalesce(s.metadata, k.metadata, '{}'::jsonb) AS metadata"),
  );
}

function checkouts(trx: DbTransaction, { workspaceId, environment }: WorkspaceScope) {
  const ofTenant = (alias: string) => ({
    [`${alias}.workspace_id`]: 'k.workspace_id',
    [`${alias}.environment`]: 'k.environment',
  });
  return trx({ k: 'tollgate.checkouts' })
    .join({ c: 'tollgate.customers' }, { ...ofTenant('c'), 'c.id': 'k.customer_id' })
    .leftJoin({ s: 'tollgate.subscriptions' }, { ...ofTenant('s'), 's.id': 'k.subscription_id' })
    .leftJoin({ p: 'tollgate.plans' }, { ...ofTenant('p'), 'p.id': 's.plan_id' })
    .where({ 'k.workspace_id': workspaceId, 'k.environment': environment });
}

function toCheckout({ terms, ...row }: StoredCheckout): CheckoutRow {
  return { ...row, ...terms };
}
