import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { dueAtOf } from '../domain/lifecycle';
import { MAX_AMOUNT } from '../domain/money';
import { draftPeriodCharge } from '../domain/period-charge';
import { wholePeriod } from '../domain/proration';
import type { TaxedAmount } from '../domain/tax';
import type { TransactionDraft } from '../domain/transaction';
import type { BilledSubscription } from './billed-subscription';
import { newTransaction, type TransactionRow } from './transaction-store';

/** The fields that the charge of a subscription's current period depends on. */
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
 * Drafts the charge of the subscription's current period, from the subscription's start if it began within the period.
 *
 * @param made the instant (the workspace's time), and how many days later an unpaid charge makes it past due
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
    startedAt: subscription.startedAt,
    dueAt: dueAtOf(made.at, made.pastDueAfterDays),
    timeZone,
  });
}

/** Creates the charge of a period at its start. A unique index makes a second charge of the same period fail. */
export function chargeOfPeriod(
  kind: 'initial' | 'renewal',
  subscription: BilledSubscription,
): TransactionRow {
  const { currentPeriodStart: at, pastDueAfterDays } = subscription;
  return newTransaction(subscription, draftCharge(kind, subscription, { at, pastDueAfterDays }), at);
}

/** @throws TollgateError validation_failed (`/seats`) for an amount that cannot be recorded */
export function requireRecordable({ subtotal, total }: TaxedAmount): void {
  if (subtotal <= MAX_AMOUNT && total <= MAX_AMOUNT) return;
  const message = 'The price of this many seats is too large to record (18 digits of minor units).';
  throw new TollgateError('validation_failed', message, {
    errors: [{ pointer: '/seats', message, fix: 'Send fewer seats, or lower the price of the plan.' }],
  });
}
