import { createHmac } from 'node:crypto';
import { namedCall } from '../core/named-call';
import type { Account } from './account';
import { cronExpression } from './intervals';
import type { Dispute, Invoice, Refund, Subscription, Transaction } from './records';
import { nextPaymentDate } from './subscription-view';
import { authorizationView, customerView, disputeAnswer, iso, planView } from './views';

const delivery = namedCall('c.delivery', (account: Account, url: string, body: Buffer) => ({
  // The account may have a new address since.
  url: account.webhookUrl ?? url,
  headers: {
    'content-type': 'application/json',
    'x-paystack-signature': createHmac('sha512', account.secretKey).update(body).digest('hex'),
  },
  body,
}));

/** Signs the bytes with the API's secret key, and hands them to the outbox. There are no event ids. */
function send(account: Account, event: string, data: unknown): void {
  const { webhookUrl: url, core } = account;
  if (url === null) return;
  const body = Buffer.from(JSON.stringify({ event, data }));
  core.outbox.send(delivery(account, url, body), { provider: 'c', event, id: `c-${account.nextId()}` });
}

export function sendCharge(account: Account, transaction: Transaction): void {
  const { authorization, plan, paidAt } = transaction;
  send(account, 'charge.success', {
    id: transaction.id,
    domain: account.domain,
    status: 'success',
    reference: transaction.reference,
    amount: transaction.amount,
    message: null,
    gateway_response: transaction.gatewayResponse,
    paid_at: paidAt === null ? null : iso(paidAt),
    created_at: iso(transaction.createdAt),
    channel: 'card',
    currency: transaction.currency,
    ip_address: null,
    // The API answers "" where the webhook has 0.
    metadata: transaction.metadata ?? 0,
    log: null,
    fees: transaction.fees,
    customer: customerView(transaction.customer),
    authorization: authorization === null ? {} : authorizationView(authorization),
    plan: plan === null ? {} : planView(plan),
  });
}

/** Sends neither an id nor the e-mail token; both have to be fetched. */
export function sendCreated(account: Account, subscription: Subscription): void {
  send(account, 'subscription.create', {
    ...summary(subscription, nextPaymentDate(subscription)),
    domain: account.domain,
    createdAt: iso(subscription.createdAt),
    ...parties(subscription),
    created_at: iso(subscription.createdAt),
  });
}

export function sendNotRenewing(account: Account, subscription: Subscription): void {
  send(account, 'subscription.not_renew', {
    id: subscription.id,
    domain: account.domain,
    ...summary(subscription, null),
    email_token: subscription.emailToken,
    integration: account.integration,
    ...parties(subscription),
    invoices: [],
    invoices_history: [],
    invoice_limit: subscription.invoiceLimit,
    split_code: null,
    most_recent_invoice: null,
    created_at: iso(subscription.createdAt),
  });
}

/** Sends `complete` for a cancelled subscription as well as for one whose charges are all done. */
export function sendDisabled(account: Account, subscription: Subscription): void {
  send(account, 'subscription.disable', {
    domain: account.domain,
    ...summary(subscription, iso(subscription.boundary)),
    status: 'complete',
    email_token: subscription.emailToken,
    ...parties(subscription),
    created_at: iso(subscription.createdAt),
  });
}

export function sendInvoice(
  account: Account,
  event: 'invoice.create' | 'invoice.update' | 'invoice.payment_failed',
  subscription: Subscription,
  invoice: Invoice,
): void {
  const { transaction } = invoice;
  // The update lacks the token, and is the only one with a meaningful period.
  const isUpdate = event === 'invoice.update';
  send(account, event, {
    domain: account.domain,
    invoice_code: invoice.code,
    amount: invoice.amount,
    period_start: iso(invoice.periodStart),
    period_end: iso(isUpdate ? invoice.periodEnd : invoice.periodStart - 1000),
    status: event === 'invoice.payment_failed' ? 'pending' : invoice.status,
    paid: invoice.paidAt !== null,
    paid_at: invoice.paidAt === null ? null : iso(invoice.paidAt),
    description: null,
    authorization: authorizationView(subscription.authorization),
    subscription: {
      ...summary(subscription, iso(subscription.boundary)),
      status: 'active',
      ...(isUpdate ? {} : { email_token: subscription.emailToken }),
    },
    customer: customerView(subscription.customer),
    transaction:
      transaction?.status !== 'success'
        ? {}
        : {
            reference: transaction.reference,
            status: transaction.status,
            amount: transaction.amount,
            currency: transaction.currency,
          },
    created_at: iso(invoice.createdAt),
  });
}

/** Sends the same object as the API's response. */
export function sendDispute(
  account: Account,
  event: 'charge.dispute.create' | 'charge.dispute.resolve',
  dispute: Dispute,
): void {
  send(account, event, disputeAnswer(account, dispute));
}

/** Sends no refund id, the bank's reference only at the end, and the amount as text unless it failed. */
export function sendRefund(account: Account, { transaction, status, amount, bankReference }: Refund): void {
  const { email } = transaction.customer;
  send(account, `refund.${status}`, {
    status,
    transaction_reference: transaction.reference,
    refund_reference: bankReference,
    amount: status === 'failed' ? amount : String(amount),
    currency: transaction.currency,
    processor: 'instant-transfer',
    customer: { first_name: null, last_name: null, email },
    integration: account.integration,
    domain: account.domain,
  });
}

function summary(subscription: Subscription, nextPayment: string | null): Record<string, unknown> {
  return {
    status: subscription.status,
    subscription_code: subscription.code,
    amount: subscription.plan.amount,
    cron_expression: cronExpression(subscription.boundary, subscription.plan.interval),
    next_payment_date: nextPayment,
    open_invoice: subscription.openInvoice?.code ?? null,
  };
}

function parties({ plan, authorization, customer }: Subscription): Record<string, unknown> {
  return {
    plan: planView(plan),
    authorization: authorizationView(authorization),
    customer: customerView(customer),
  };
}
