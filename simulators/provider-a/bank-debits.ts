import type { Account } from './account';
import type { Invoice } from './billing-records';
import { emit } from './events';
import { markPaid, outcomeOf } from './invoices';
import { answerDebit } from './payments';
import { applyOutcome } from './renewal';

/** Lets the banks answer all debits of invoices that they have not answered yet. */
export function answerDebits(account: Account, answer: 'succeeded' | 'failed'): void {
  for (const invoice of account.all('invoice')) {
    for (const payment of invoice.payments.data) {
      const intent = account.get('payment_intent', payment.payment.payment_intent);
      if (payment.status !== 'open' || intent.status !== 'processing') continue;
      Object.assign(payment, outcomeOf(account, answerDebit(account, intent, answer)));
      conclude(account, invoice, answer === 'succeeded');
    }
  }
}

function conclude(account: Account, invoice: Invoice, paid: boolean): void {
  if (paid) markPaid(account, invoice);
  emit(account, paid ? 'invoice.payment_succeeded' : 'invoice.payment_failed', invoice);
  const subscription = account.get('subscription', invoice.parent.subscription_details.subscription);
  applyOutcome(account, subscription, invoice, paid);
}
