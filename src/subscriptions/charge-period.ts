import type { Instant } from '../domain/instant';
import { dueAtOf } from '../domain/lifecycle';
import { draftPeriodCharge } from '../domain/period-charge';
import { wholePeriod } from '../domain/proration';
import type { TransactionDraft } from '../domain/transaction';
import type { BilledSubscription } from './billed-subscription';
import { newTransaction, type TransactionRow } from './transaction-store';

/** What the charge of a subscription's current period depends on. */
export type ChargedSubscription = Pick<
  BilledSubscription,
  | 'planId'
  | 'planSlug'
  | 'seats'
  | 'unitAmount'
  | 'pricing'
  | 'currency'
  | 'tax'
  | 'timeZone'
  | 'interval'
  | 'billingAnchor'
  | 'startedAt'
  | 'currentPeriodStart'
  | 'currentPeriodEnd'
>;

/**
 * The charge of the subscription's current period, from where the subscription began in it.
 *
 * @param made the instant (the workspace's time), and the days after it that an unpaid one makes it past due
 */
export function draftCharge(
  kind: 'initial' | 'renewal',
  subscription: ChargedSubscription,
  made: { at: Instant; pastDueAfterDays: number },
): TransactionDraft {
  const { currency, tax, timeZone, currentPeriodStart: start, currentPeriodEnd: end } = subscription;
  return draftPeriodCharge({
    kind,
    terms: subscription,
    currency,
    tax,
    period: { start, end },
    whole: wholePeriod(subscription),
    chargedFrom: Math.max(subscription.startedAt, start),
    dueAt: dueAtOf(made.at, made.pastDueAfterDays),
    timeZone,
  });
}

/** The charge of a period as it begins. A second one of the same period fails on the index that makes it impossible. */
export function chargeOfPeriod(
  kind: 'initial' | 'renewal',
  subscription: BilledSubscription,
): TransactionRow {
  const { currentPeriodStart: at, pastDueAfterDays } = subscription;
  return newTransaction(subscription, draftCharge(kind, subscription, { at, pastDueAfterDays }), at);
}
