import type { Context } from 'koa';
import { shortText, writeShort } from './amounts';
import { eventHost } from './events';
import { isoSeconds } from './identifiers';
import { literalNumber } from './json';
import type { Account, Plan, Revision, Sale, Subscription } from './state';
import { ownAddress } from './own-address';

/** Returns the page where the payer approves a subscription. */
export function subscriptionApprovalPage(address: string, subscription: Subscription): string {
  return `${address}/webapps/billing/subscriptions?ba_token=${subscription.token}`;
}

/** Returns the page where the payer approves a change of a subscription. */
export function revisionApprovalPage(ctx: Context, revision: Revision): string {
  return `${ownAddress(ctx)}/webapps/billing/subscriptions/update?ba_token=${revision.token}`;
}

/**
 * Renders a subscription without its links, as in the API and the events.
 *
 * @param withFailure whether the last failed payment is shown: in the API only on request
 */
export function subscriptionObject(
  account: Account,
  subscription: Subscription,
  withFailure = false,
): object {
  const { quantity, payerId, email } = subscription;
  const plan = account.plans.get(subscription.planId);
  return {
    status: subscription.status,
    status_update_time: isoSeconds(subscription.updatedAt),
    id: subscription.id,
    plan_id: subscription.planId,
    plan_overridden: false,
    start_time: isoSeconds(subscription.startTime),
    quantity: String(quantity ?? 1),
    ...(subscription.customId === undefined ? {} : { custom_id: subscription.customId }),
    subscriber: {
      ...(email === undefined ? {} : { email_address: email }),
      ...(payerId === null ? {} : { payer_id: payerId }),
    },
    ...(subscription.status === 'APPROVAL_PENDING' || plan === undefined
      ? {}
      : { billing_info: billingInfo(plan, subscription, withFailure) }),
    create_time: isoSeconds(subscription.createdAt),
    update_time: isoSeconds(subscription.updatedAt),
  };
}

/** Renders the billing information; an ended subscription has no next billing time. */
function billingInfo({ price, totalCycles }: Plan, subscription: Subscription, withFailure: boolean): object {
  const { lastPayment, lastFailure, nextBillingTime, cyclesCompleted, outstanding = 0n } = subscription;
  return {
    outstanding_balance: writeShort({ minor: outstanding, currency: price.currency }),
    cycle_executions: [
      {
        tenure_type: 'REGULAR',
        sequence: 1,
        cycles_completed: cyclesCompleted,
        cycles_remaining: totalCycles === 0 ? 0 : totalCycles - cyclesCompleted,
        current_pricing_scheme_version: 1,
        total_cycles: totalCycles,
      },
    ],
    ...(lastPayment === null
      ? {}
      : { last_payment: { amount: writeShort(lastPayment.amount), time: isoSeconds(lastPayment.at) } }),
    ...(nextBillingTime === null ? {} : { next_billing_time: isoSeconds(nextBillingTime) }),
    failed_payments_count: subscription.failedPayments,
    ...(withFailure && lastFailure !== undefined && { last_failed_payment: failedPayment(lastFailure) }),
  };
}

function failedPayment({ amount, at, retryAt }: NonNullable<Subscription['lastFailure']>): object {
  return {
    amount: writeShort(amount),
    time: isoSeconds(at),
    reason_code: 'PAYER_CANNOT_PAY',
    ...(retryAt === null ? {} : { next_payment_retry_time: isoSeconds(retryAt) }),
  };
}

/** Renders a subscription with its links for an event. */
export function subscriptionResource(
  account: Account,
  subscription: Subscription,
  withFailure: boolean,
): object {
  const self = `${eventHost(account)}/v1/billing/subscriptions/${subscription.id}`;
  return {
    ...subscriptionObject(account, subscription, withFailure),
    links: [
      { href: `${self}/cancel`, rel: 'cancel', method: 'POST', encType: 'application/json' },
      { href: self, rel: 'self', method: 'GET', encType: 'application/json' },
    ],
  };
}

/** Returns a payment's state as version 1 of the API names it. */
function stateOf({ state, refunded, amount: { minor } }: Sale): string {
  if (state !== undefined) return state;
  return refunded === 0n ? 'completed' : refunded < minor ? 'partially_refunded' : 'refunded';
}

/** Renders a payment of a subscription in the format of version 1. */
export function saleObject(account: Account, sale: Sale): object {
  const { amount } = sale;
  const self = `${eventHost(account)}/v1/payments/sale/${sale.id}`;
  const total = shortText(amount.minor, amount.currency);
  return {
    id: sale.id,
    state: stateOf(sale),
    amount: { total, currency: amount.currency, details: { subtotal: literalNumber(total) } },
    payment_mode: sale.state === undefined ? 'INSTANT_TRANSFER' : 'ECHECK',
    protection_eligibility: 'ELIGIBLE',
    transaction_fee: { value: shortText(sale.fee, amount.currency), currency: amount.currency },
    billing_agreement_id: sale.subscriptionId,
    invoice_number: '',
    create_time: isoSeconds(sale.createdAt),
    update_time: isoSeconds(sale.createdAt),
    links: [
      { method: 'GET', rel: 'self', href: self },
      { method: 'POST', rel: 'refund', href: `${self}/refund` },
    ],
  };
}
