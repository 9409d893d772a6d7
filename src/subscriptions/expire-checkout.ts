import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { takeStep } from '../domain/lifecycle';
import { displayPlan } from '../domain/display-text';
import { eventDataOf, type BilledSubscription } from './billed-subscription';
import { saveBilledSubscription } from './save-subscription-store';
import { recordSubscriptionEvent, type SubscriptionEvent } from './subscription-history-store';
import { voidOpenTransactions } from './transaction-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { expireCheckoutOf } from './close-checkout-store';

/** Why and when a checkout ended without a subscription: the workspace's time and real time. */
export interface CheckoutExpiry {
  why: 'deadline' | 'given_up' | 'replaced' | 'refused' | 'nothing_began';
  at: Instant;
  recordedAt: Instant;
  source: SubscriptionEvent['source'];
  /** The checkout that replaces it. */
  replacedBy?: string;
  /** Why the payment provider did not create it. */
  reason?: string;
}

/**
 * Ends an unpaid checkout in the open transaction: expires its subscription and voids its open transactions. Payments
 * already received stay on record.
 *
 * @param subscription `incomplete`; its row is locked
 * @returns the updated row
 */
export async function expireCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  expiry: CheckoutExpiry,
): Promise<BilledSubscription> {
  const { at, recordedAt, source, why, replacedBy, reason } = expiry;
  const voided = await voidOpenTransactions(trx, scope, subscription.id, at);
  const closed = takeStep(subscription, 'expire_checkout');
  const saved = await saveBilledSubscription(trx, scope, closed, at);
  await expireCheckoutOf(trx, scope, saved.id, { now: at, recordedAt });
  const words = reason === undefined ? WORDS[why] : `${WORDS[why]}: ${reason}`;
  const entry: SubscriptionEvent = {
    subscriptionId: saved.id,
    ...(why === 'refused' ? NOT_MADE : OVER),
    message: `${saved.externalId}'s checkout of ${displayPlan(saved)} ${words}${words.endsWith('.') ? '' : '.'}`,
    source,
    data: {
      ...eventDataOf(saved),
      reason: why,
      voidedTransactions: voided,
      ...(replacedBy === undefined ? {} : { replacedBy }),
    },
  };
  await recordSubscriptionEvent(trx, scope, entry, { happenedAt: at, recordedAt });
  return saved;
}

const OVER = { kind: 'checkout_expired', type: 'SUBSCRIPTION_CHANGED', status: 'OK' } as const;
const NOT_MADE = { kind: 'checkout_refused', type: 'CHECKOUT_CREATED', status: 'ERROR' } as const;

const WORDS: Record<CheckoutExpiry['why'], string> = {
  deadline: 'expired unpaid',
  given_up: 'expired unpaid',
  replaced: 'was replaced by a new one',
  refused: 'could not be created at the payment provider',
  nothing_began: 'ended: the customer completed it, but no subscription began',
};
