import { newId, type Account } from './account';
import { emit } from './events';
import { cancelIntent, chargeFor, pay } from './payments';
import { amountOf } from './price-amount';
import { takenOff } from './subscription-billing';
import type {
  BillingReason,
  Card,
  Invoice,
  InvoiceLine,
  Subscription,
  SubscriptionItem,
} from './billing-records';
import type { PaymentIntent } from './payment-records';

const DAY_S = 86_400;

/**
 * Creates an invoice of a subscription. Uses the customer's credit first; a negative total becomes credit.
 *
 * @param finalizesAt for a draft: epoch seconds, or null if it stays a draft; omitted, it is finalized at once
 */
export function createInvoice(
  account: Account,
  subscription: Subscription,
  reason: BillingReason,
  lines: InvoiceLine[],
  finalizesAt?: number | null,
): Invoice {
  const customer = account.get('customer', subscription.customer);
  const full = lines.reduce((sum, { amount }) => sum + amount, 0);
  const total = full - takenOff(account, subscription, Math.max(0, full));
  const due = Math.max(0, total + Math.min(0, customer.balance));
  customer.balance += total - due;
  const [item] = subscription.items.data;
  const invoice: Invoice = account.add({
    id: newId('in'),
    object: 'invoice',
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: 0,
    attempted: false,
    billing_reason: reason,
    collection_method: subscription.collection_method,
    created: account.now,
    currency: subscription.currency,
    customer: customer.id,
    due_date:
      subscription.collection_method === 'send_invoice'
        ? account.now + (subscription.days_until_due ?? 0) * DAY_S
        : null,
    lines: listOf(lines, '/v1/invoices/lines'),
    livemode: account.livemode,
    metadata: {},
    next_payment_attempt: null,
    parent: {
      type: 'subscription_details',
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
    },
    payments: listOf([], '/v1/invoice_payments'),
    period_start: item?.current_period_start ?? account.now,
    period_end: item?.current_period_end ?? account.now,
    status: finalizesAt === undefined ? 'open' : 'draft',
    status_transitions: { paid_at: null },
    total,
    ...(finalizesAt !== undefined && {
      auto_advance: finalizesAt !== null,
      automatically_finalizes_at: finalizesAt,
    }),
  });
  subscription.latest_invoice = invoice.id;
  emit(account, 'invoice.created', { ...invoice, status: 'draft' });
  if (finalizesAt === undefined) emit(account, 'invoice.finalized', invoice);
  return invoice;
}

/** Finalizes a draft, which can then be paid. */
export function finalizeInvoice(account: Account, invoice: Invoice): void {
  Object.assign(invoice, { status: 'open', automatically_finalizes_at: null });
  emit(account, 'invoice.finalized', invoice);
}

/** Leaves a draft as it is: nothing is charged for it. */
export function keepDraft(account: Account, invoice: Invoice): void {
  account.unschedule(invoice.id);
  Object.assign(invoice, { auto_advance: false, automatically_finalizes_at: null });
}

/** Charges the customer's card with the amount due. Null while a bank has not answered. */
export function payInvoice(account: Account, invoice: Invoice): 'paid' | 'failed' | null {
  if (invoice.amount_due > 0) {
    const card = account.cards.get(invoice.customer) ?? 'pays';
    const { status } = attempt(account, invoice, card);
    invoice.attempted = true;
    invoice.attempt_count += 1;
    if (status === 'processing') {
      invoice.next_payment_attempt = null;
      return null;
    }
    if (status !== 'succeeded') {
      emit(account, 'invoice.payment_failed', invoice);
      if (card === 'requires_authentication') emit(account, 'invoice.payment_action_required', invoice);
      return 'failed';
    }
  }
  markPaid(account, invoice);
  emit(account, 'invoice.payment_succeeded', invoice);
  return 'paid';
}

/** Records that the whole amount is paid. */
export function markPaid(account: Account, invoice: Invoice): void {
  delete invoice.status_details;
  Object.assign(invoice, {
    status: 'paid',
    status_transitions: { paid_at: account.now },
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
  });
  emit(account, 'invoice.paid', invoice);
}

/**
 * Pays several invoices of a customer with one payment, like a payment that its merchant attaches to all of them.
 *
 * @param invoices at least one, all open
 */
export function payTogether(account: Account, invoices: readonly Invoice[]): void {
  const amount = invoices.reduce((sum, { amount_remaining: left }) => sum + left, 0);
  const [{ currency, customer } = { currency: '', customer: '' }] = invoices;
  const intent = pay(account, { amount, currency, customer, metadata: {} }, 'pays');
  for (const invoice of invoices) {
    const { amount_remaining: left } = invoice;
    cancelPayments(account, invoice);
    addPayment(invoice, intent, { ...outcomeOf(account, intent), amount_paid: left });
    markPaid(account, invoice);
  }
}

/** Cancels what the invoice was to be paid by, because it is void or was paid elsewhere. */
export function cancelPayments(account: Account, invoice: Invoice): void {
  for (const payment of invoice.payments.data.filter(({ status }) => status === 'open')) {
    payment.status = 'canceled';
    cancelIntent(account, account.get('payment_intent', payment.payment.payment_intent));
  }
}

/** Uses one payment intent for all attempts to pay an invoice, like the original. */
function attempt(account: Account, invoice: Invoice, card: Card): PaymentIntent {
  const { amount_due: amount, currency, customer } = invoice;
  const before = invoice.payments.data.find(({ status }) => status === 'open');
  const intent =
    before === undefined
      ? pay(account, { amount, currency, customer, metadata: {} }, card)
      : chargeFor(account, account.get('payment_intent', before.payment.payment_intent), card);
  const outcome = outcomeOf(account, intent);
  if (before !== undefined) {
    Object.assign(before, outcome);
    return intent;
  }
  addPayment(invoice, intent, outcome);
  return intent;
}

function addPayment(invoice: Invoice, intent: PaymentIntent, outcome: ReturnType<typeof outcomeOf>): void {
  const { amount_remaining: amount, currency, id, livemode } = invoice;
  invoice.payments.data.push({
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_requested: amount,
    currency,
    invoice: id,
    is_default: true,
    livemode,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    ...outcome,
  });
}

/** What an invoice's payment says of its payment intent. */
export function outcomeOf(account: Account, { amount, status }: PaymentIntent) {
  const paid = status === 'succeeded';
  return {
    amount_paid: paid ? amount : null,
    status: paid ? 'paid' : 'open',
    status_transitions: { paid_at: paid ? account.now : null },
  } as const;
}

/** Returns the lines for the whole period of a subscription's items. */
export function fullLines(items: readonly SubscriptionItem[], currency: string): InvoiceLine[] {
  return items.map((item) => {
    const amount = amountOf(item.price, item.quantity, currency);
    const period = { start: item.current_period_start, end: item.current_period_end };
    return invoiceLine(item, 'full', { amount, currency }, period);
  });
}

export function invoiceLine(
  item: SubscriptionItem,
  kind: 'full' | 'proration',
  { amount, currency }: Pick<InvoiceLine, 'amount' | 'currency'>,
  period: { start: number; end: number },
): InvoiceLine {
  const { price, quantity } = item;
  const proration = kind === 'proration';
  const what = proration ? (amount < 0 ? 'Unused time on' : 'Remaining time on') : '';
  const description = `${what} ${quantity} × ${price.product}`.trim();
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency,
    description,
    period,
    proration,
    quantity,
  };
}

export function listOf<T>(
  data: T[],
  url: string,
): { object: 'list'; data: T[]; has_more: boolean; url: string } {
  return { object: 'list', data, has_more: false, url };
}
