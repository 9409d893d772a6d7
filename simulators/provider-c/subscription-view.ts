import type { Account } from './account';
import { cronExpression } from './intervals';
import type { Invoice, Subscription } from './records';
import { authorizationView, customerView, iso, isoOrNull, planView } from './views';

/** Returns the next payment date; null once it does not renew, as in its webhook. */
export function nextPaymentDate({ status, boundary }: Subscription): string | null {
  return status === 'active' || status === 'attention' ? iso(boundary) : null;
}

export function subscriptionAnswer(account: Account, subscription: Subscription): Record<string, unknown> {
  const { plan, lastInvoice } = subscription;
  return {
    id: subscription.id,
    domain: account.domain,
    integration: account.integration,
    status: subscription.status,
    subscription_code: subscription.code,
    email_token: subscription.emailToken,
    quantity: 1,
    amount: plan.amount,
    start: Math.floor(subscription.createdAt / 1000),
    cron_expression: cronExpression(subscription.boundary, plan.interval),
    next_payment_date: nextPaymentDate(subscription),
    open_invoice: subscription.openInvoice?.code ?? null,
    most_recent_invoice: lastInvoice === null ? null : recentInvoice(account, subscription, lastInvoice),
    invoice_limit: subscription.invoiceLimit,
    split_code: null,
    payments_count: subscription.charges,
    plan: planView(plan),
    customer: customerView(subscription.customer),
    authorization: authorizationView(subscription.authorization),
    invoices: [],
    invoices_history: [],
    createdAt: iso(subscription.createdAt),
    // The original states no time of the last change.
    ...(subscription.cancelledAt !== undefined && { cancelledAt: iso(subscription.cancelledAt) }),
  };
}

/** Renders the last invoice: `paid` is 1 or 0, where the webhook of the same invoice has true or false. */
function recentInvoice(
  account: Account,
  subscription: Subscription,
  invoice: Invoice,
): Record<string, unknown> {
  return {
    id: invoice.id,
    domain: account.domain,
    invoice_code: invoice.code,
    subscription: subscription.id,
    customer: subscription.customer.id,
    transaction: invoice.transaction?.id ?? null,
    amount: invoice.amount,
    period_start: iso(invoice.periodStart),
    period_end: iso(invoice.periodEnd),
    status: invoice.status,
    paid: invoice.paidAt === null ? 0 : 1,
    paid_at: isoOrNull(invoice.paidAt),
    description: null,
    created_at: iso(invoice.createdAt),
  };
}
