import { countryOf, type CustomerRow } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { givesTrials } from '../domain/capability-support';
import { wakeAt } from '../domain/lifecycle';
import { openSubscription, type OfferedPlan } from '../domain/subscription';
import { periodPrice } from '../domain/proration';
import { applyTax, snapshotTax, taxChargedHere } from '../domain/tax';
import { newIdentifier } from '../identifiers/identifier';
import type { Metadata } from '../schemas/metadata';
import { readSettings } from '../settings/settings-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { alreadyOpen } from './already-open';
import { draftCharge, requireRecordable } from './charge-period';
import { insertOpenSubscription, type NewSubscription } from './open-subscription-store';
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
 * @throws TollgateError plan_archived, subscription_exists (with `subscriptionId`), service_busy while an expired one
 *   is not closed yet, validation_failed for an anchor too far ahead or an amount that cannot be recorded
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
