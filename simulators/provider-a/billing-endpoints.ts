import { z } from 'zod';
import type { Account } from './account';
import { createSession, expireSession } from './checkout';
import { sessionParameters } from './checkout-parameters';
import { endpoint, type Endpoint } from './endpoint';
import { listOf } from './invoices';
import {
  chargeListParameters,
  disputeListParameters,
  invoiceListParameters,
  listCharges,
  listDisputes,
  listInvoices,
  listSubscriptions,
  subscriptionListParameters,
} from './lists';
import { expand, paging, text } from './parameters';
import { missing } from './problem';
import { balanceListParameters, listBalanceOf, listPayouts, payoutListParameters } from './payouts';
import { createRefund, listRefunds, refundListParameters, refundParameters } from './refunds';
import { pauseSubscription } from './pause-subscription';
import { forgiveInvoice, payElsewhere, resumeSubscription, voidInvoice } from './renewal';
import {
  createSchedule,
  createScheduleParameters,
  releaseParameters,
  releaseSchedule,
  updateSchedule,
  updateScheduleParameters,
} from './schedules';
import type { Invoice } from './billing-records';
import type { Charge } from './payment-records';
import {
  cancelParameters,
  previewParameters,
  pauseParameters,
  resumeParameters,
  updateParameters,
} from './subscription-parameters';
import { cancelSubscription, previewUpdate, updateSubscription } from './subscriptions';

const nothing = z.strictObject({ expand });
const PAGE = 100;

function page<T extends { id: string }>(
  all: T[],
  { limit = 10, starting_after: after }: { limit?: number | undefined; starting_after?: string | undefined },
  url: string,
) {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const size = Math.min(limit, PAGE);
  return { ...listOf(all.slice(from, from + size), url), has_more: from + size < all.length };
}

/** Payments by another card are made on the invoice's page. */
const payParameters = z.strictObject({ expand, paid_out_of_band: z.literal('true') });

const invoicePaymentParameters = z.strictObject({
  expand,
  invoice: text.optional(),
  payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text }).optional(),
  ...paging,
});

/** Endpoints for checkouts, subscriptions, money and events. */
export const billingEndpoints: Endpoint[] = [
  endpoint('POST', '/v1/checkout/sessions', sessionParameters, ({ account, wanted, origin }) =>
    createSession(account, wanted, origin),
  ),
  endpoint('GET', '/v1/checkout/sessions/:id', nothing, ({ account, id }) =>
    account.get('checkout.session', id),
  ),
  endpoint('POST', '/v1/checkout/sessions/:id/expire', nothing, ({ account, id }) =>
    expireSession(account, id),
  ),
  endpoint('GET', '/v1/subscriptions', subscriptionListParameters, ({ account, wanted }) =>
    page(listSubscriptions(account, wanted), wanted, '/v1/subscriptions'),
  ),
  endpoint('GET', '/v1/subscriptions/:id', nothing, ({ account, id }) => account.get('subscription', id)),
  endpoint('POST', '/v1/subscriptions/:id', updateParameters, ({ account, id, wanted }) =>
    updateSubscription(account, id, wanted),
  ),
  endpoint('POST', '/v1/subscriptions/:id/pause', pauseParameters, ({ account, id, wanted }) =>
    pauseSubscription(account, id, wanted),
  ),
  endpoint('POST', '/v1/subscriptions/:id/resume', resumeParameters, ({ account, id }) =>
    resumeSubscription(account, id),
  ),
  endpoint('DELETE', '/v1/subscriptions/:id', cancelParameters, ({ account, id }) =>
    cancelSubscription(account, id),
  ),
  endpoint(
    'GET',
    '/v1/subscription_items',
    z.strictObject({ expand, subscription: text, ...paging }),
    ({ account, wanted }) => {
      const { items } = account.get('subscription', wanted.subscription, 'subscription');
      return page(items.data, wanted, '/v1/subscription_items');
    },
  ),
  endpoint('POST', '/v1/subscription_schedules', createScheduleParameters, ({ account, wanted }) =>
    createSchedule(account, wanted),
  ),
  endpoint('POST', '/v1/subscription_schedules/:id', updateScheduleParameters, ({ account, id, wanted }) =>
    updateSchedule(account, id, wanted),
  ),
  endpoint('POST', '/v1/subscription_schedules/:id/release', releaseParameters, ({ account, id, wanted }) =>
    releaseSchedule(account, id, wanted),
  ),
  endpoint('POST', '/v1/invoices/create_preview', previewParameters, ({ account, wanted }) =>
    previewUpdate(account, wanted.subscription, wanted.subscription_details ?? {}),
  ),
  endpoint('GET', '/v1/invoices', invoiceListParameters, ({ account, wanted, origin }) => {
    const invoices = listInvoices(account, wanted).map((invoice) => withPage(invoice, origin));
    return page(invoices, wanted, '/v1/invoices');
  }),
  endpoint('GET', '/v1/invoices/:id', nothing, ({ account, id, origin }) =>
    withPage(account.get('invoice', id), origin),
  ),
  endpoint('POST', '/v1/invoices/:id/void', nothing, ({ account, id }) =>
    voidInvoice(account, account.get('invoice', id)),
  ),
  endpoint('POST', '/v1/invoices/:id/mark_uncollectible', nothing, ({ account, id }) =>
    forgiveInvoice(account, account.get('invoice', id)),
  ),
  endpoint('POST', '/v1/invoices/:id/pay', payParameters, ({ account, id }) =>
    payElsewhere(account, account.get('invoice', id)),
  ),
  endpoint('GET', '/v1/invoice_payments', invoicePaymentParameters, ({ account, wanted }) => {
    const intent = wanted.payment?.payment_intent;
    const payments = account
      .all('invoice')
      .filter(({ id }) => wanted.invoice === undefined || id === wanted.invoice)
      .flatMap((invoice) => invoice.payments.data)
      .filter(({ payment }) => intent === undefined || payment.payment_intent === intent);
    return page(payments, wanted, '/v1/invoice_payments');
  }),
  endpoint('GET', '/v1/payment_intents/:id', nothing, ({ account, id }) => account.get('payment_intent', id)),
  endpoint('GET', '/v1/charges', chargeListParameters, ({ account, wanted }) =>
    page(
      listCharges(account, wanted).map((charge) => withRefunds(account, charge)),
      wanted,
      '/v1/charges',
    ),
  ),
  endpoint('GET', '/v1/disputes', disputeListParameters, ({ account, wanted }) =>
    page(listDisputes(account, wanted), wanted, '/v1/disputes'),
  ),
  endpoint('GET', '/v1/disputes/:id', nothing, ({ account, id }) => account.get('dispute', id)),
  endpoint('GET', '/v1/charges/:id', nothing, ({ account, id }) =>
    withRefunds(account, account.get('charge', id)),
  ),
  endpoint('POST', '/v1/refunds', refundParameters, ({ account, wanted }) => createRefund(account, wanted)),
  endpoint('GET', '/v1/refunds', refundListParameters, ({ account, wanted }) =>
    page(listRefunds(account, wanted), wanted, '/v1/refunds'),
  ),
  endpoint('GET', '/v1/refunds/:id', nothing, ({ account, id }) => account.get('refund', id)),
  endpoint('GET', '/v1/payouts', payoutListParameters, ({ account, wanted }) =>
    page(listPayouts(account, wanted), wanted, '/v1/payouts'),
  ),
  endpoint('GET', '/v1/payouts/:id', nothing, ({ account, id }) => account.get('payout', id)),
  endpoint('GET', '/v1/balance_transactions', balanceListParameters, ({ account, wanted }) =>
    page(listBalanceOf(account, account.get('payout', wanted.payout)), wanted, '/v1/balance_transactions'),
  ),
  endpoint(
    'GET',
    '/v1/events',
    z.strictObject({ expand, type: text.optional(), ...paging }),
    ({ account, wanted }) => {
      const wantedType = wanted.type;
      const events = account.events.filter(({ type }) => wantedType === undefined || type === wantedType);
      return page(events.reverse(), wanted, '/v1/events');
    },
  ),
  endpoint('GET', '/v1/events/:id', nothing, ({ account, id }) => {
    const found = account.events.find((event) => event.id === id);
    if (found === undefined) throw missing('event', id);
    return found;
  }),
];

/** Adds all refunds of a charge, newest first, which are only sent if requested. */
function withRefunds(account: Account, charge: Charge) {
  const refunds = listRefunds(account, { charge: charge.id });
  return { ...charge, refunds: listOf(refunds, `/v1/charges/${charge.id}/refunds`) };
}

/** Adds the address of the page where its customer pays it. */
function withPage(invoice: Invoice, origin: string): Invoice & { hosted_invoice_url: string } {
  return { ...invoice, hosted_invoice_url: `${origin}/invoice/${invoice.id}` };
}
