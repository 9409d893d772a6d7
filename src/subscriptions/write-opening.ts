import { findPlan } from '../catalog/plan-store';
import { requirePlan } from '../catalog/plan-service';
import { countryOf, holdCustomer, type CustomerRow } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { MAX_AMOUNT } from '../domain/money';
import type { Instant } from '../domain/instant';
import { givesTrials } from '../domain/capability-support';
import { wakeAt } from '../domain/lifecycle';
import { accessStatusOf, openSubscription, type OfferedPlan } from '../domain/subscription';
import { periodPrice } from '../domain/proration';
import { applyTax, snapshotTax, taxChargedHere, type TaxedAmount } from '../domain/tax';
import { newIdentifier } from '../identifiers/identifier';
import type { Metadata } from '../schemas/metadata';
import { readSettings } from '../settings/settings-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { findBilledSubscription } from './billed-subscription-store';
import { draftCharge } from './charge-period';
import {
  findOpenSubscription,
  insertOpenSubscription,
  type NewSubscription,
} from './open-subscription-store';
import { insertTransaction, type TransactionRow } from './transaction-store';
import type { PaymentProvider } from '../domain/provider';

/** A plan to be opened for a customer. */
export interface Offer {
  customer: CustomerRow;
  plan: OfferedPlan;
  seats: number;
  /** The instant from which periods are counted; defaults to the opening. */
  anchor?: Instant | undefined;
  metadata: Metadata;
  /**
   * Until when a subscription with an amount due waits for its payment, as `incomplete`. If left out, it is open at
   * once.
   */
  incompleteUntil?: Instant | undefined;
  /**
   * The payment provider that bills it on its own schedule: the subscription waits until `incompleteUntil`, nothing is
   * charged here, and the provider decides when its trial ends. If left out, it is billed here.
   */
  provider?: PaymentProvider | undefined;
}

/** An opened subscription. The transaction is null in a trial, whose end creates it, and if a provider bills. */
export interface Opening {
  subscription: NewSubscription;
  transaction: TransactionRow | null;
}

/**
 * Writes a subscription into the open transaction, with its first period's charge in local billing.
 *
 * @param now the workspace's time
 * @throws TollgateError plan_archived, subscription_exists (with `subscriptionId`), service_busy while an expired one is
 *   not closed yet, validation_failed for an anchor too far ahead or an amount that cannot be recorded
 */
export async function writeOpening(
  trx: DbTransaction,
  scope: WorkspaceScope,
  offer: Offer,
  now: Instant,
): Promise<Opening> {
  const { customer, seats, anchor, metadata, provider = 'internal' } = offer;
  const plan = givesTrials(provider) ? offer.plan : { ...offer.plan, trialDays: 0 };
  const settings = await readSettings(trx, scope);
  const { timeZone, pastDueAfterDays, expireAfterDays } = settings;
  const opened = {
    ...openSubscription({ plan, seats, ...(anchor === undefined ? {} : { anchor }), timeZone, now }),
    tax: snapshotTax(settings, countryOf(customer)),
  };
  // A trial and a short first period are followed by whole ones, which could never begin.
  requireRecordable(applyTax(periodPrice(opened), taxChargedHere(provider, opened.tax)));
  const charged = { ...opened, planSlug: plan.slug };
  const draft =
    provider === 'internal' && opened.trialEnd === null
      ? draftCharge('initial', charged, { at: now, pastDueAfterDays })
      : null;
  const owes = draft !== null && draft.total > 0n;
  const waits = owes || provider !== 'internal';
  const incompleteUntil = waits ? (offer.incompleteUntil ?? null) : null;
  const lifecycle = {
    ...opened,
    provider,
    status: incompleteUntil === null ? opened.status : 'incomplete',
    paymentDueAt: owes ? draft.dueAt : null,
    incompleteUntil,
  } as const;
  const subscription: NewSubscription = {
    ...lifecycle,
    id: newIdentifier('subscription'),
    customerId: customer.id,
    metadata,
    nextWakeAt: wakeAt({
      ...lifecycle,
      pastDueSince: null,
      scheduledInterval: null,
      nextPeriodIsFree: plan.price.amount === 0n,
      pastDueAfterDays,
      expireAfterDays,
    }),
    createdAt: now,
  };
  if (!(await insertOpenSubscription(trx, scope, subscription))) {
    throw await alreadyOpen(trx, scope, customer, plan, now);
  }
  const transaction = draft === null ? null : await insertTransaction(trx, scope, subscription, draft, now);
  return { subscription, transaction };
}

/** @throws TollgateError customer_not_found, customer_erased */
export async function requireNamedCustomer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { customerId, externalId = '' }: { customerId?: string | undefined; externalId?: string | undefined },
): Promise<CustomerRow> {
  return holdCustomer(trx, scope, customerId === undefined ? { externalId } : { id: customerId });
}

/** @throws TollgateError plan_not_found, plan_archived if the plan's group is archived */
export async function requireOfferedPlan(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { planId, planSlug = '' }: { planId?: string | undefined; planSlug?: string | undefined },
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

/**
 * Builds the refusal for a customer with an open subscription in the plan's group: subscription_exists, or service_busy
 * if that one has expired and only its step is still pending. It can be neither changed nor cancelled, so the caller is
 * asked to wait.
 *
 * @param now the workspace's time
 */
export async function alreadyOpen(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customer: CustomerRow,
  plan: OfferedPlan,
  now: Instant,
): Promise<TollgateError> {
  const open = await findOpenSubscription(trx, scope, customer.id, plan.planGroupId);
  if (open !== undefined && (await hasExpired(trx, scope, open.id, now))) {
    return new TollgateError('service_busy', `The subscription ${open.id} is about to expire.`, {
      retryAfter: 1,
    });
  }
  const which = open === undefined ? 'an open subscription' : `the open subscription ${open.id}`;
  return new TollgateError(
    'subscription_exists',
    `The customer "${customer.externalId}" has ${which} in the plan group of "${plan.slug}".`,
    open === undefined ? { retryAfter: 1 } : { extra: { subscriptionId: open.id } },
  );
}

/** Whether local billing ends the subscription as soon as its due steps are taken. A provider ends its own. */
async function hasExpired(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  now: Instant,
): Promise<boolean> {
  const open = await findBilledSubscription(trx, scope, id, 'read');
  if (open?.provider !== 'internal') return false;
  const { expireAfterDays } = open;
  return accessStatusOf(open, { graceDays: expireAfterDays, expireAfterDays }, now) === 'none';
}

/** @throws TollgateError validation_failed (`/seats`) for an amount that cannot be recorded */
export function requireRecordable({ subtotal, total }: TaxedAmount): void {
  if (subtotal <= MAX_AMOUNT && total <= MAX_AMOUNT) return;
  const message = 'The price of this many seats is too large to record (18 digits of minor units).';
  throw new TollgateError('validation_failed', message, {
    errors: [{ pointer: '/seats', message, fix: 'Send fewer seats, or lower the price of the plan.' }],
  });
}
