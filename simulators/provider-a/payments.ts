import { newId, type Account } from './account';
import { toCharged } from './amounts';
import { emit } from './events';
import type { Card, Metadata } from './billing-records';
import type { Charge, PaymentIntent, BalanceTransaction } from './payment-records';

interface Payment {
  amount: number;
  currency: string;
  customer: string | null;
  metadata: Metadata;
}

type CardError = NonNullable<PaymentIntent['last_payment_error']>;

/** 2.9 % and 30 minor units, a common merchant fee. */
const FEE_PERMILLE = 29;
const FEE_FIXED = 30;
const AVAILABLE_AFTER_S = 2 * 86_400;

/** Returns the error with which a charge of this card fails, or null. */
export function cardError(card: Exclude<Card, 'is_removed'>): CardError | null {
  switch (card) {
    case 'pays':
    case 'pends':
      return null;
    case 'declines':
      return {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'Your card was declined.',
      };
    case 'has_insufficient_funds':
      return {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      };
    case 'requires_authentication':
      return {
        type: 'card_error',
        code: 'authentication_required',
        decline_code: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      };
  }
}

/** Charges a card: creates a payment intent and, if it succeeds, a charge with its balance transaction. */
export function pay(account: Account, payment: Payment, card: Card): PaymentIntent {
  const intent: PaymentIntent = account.add({
    id: newId('pi'),
    object: 'payment_intent',
    ...payment,
    amount_received: 0,
    created: account.now,
    last_payment_error: null,
    latest_charge: null,
    livemode: account.livemode,
    status: 'requires_payment_method',
  });
  return chargeFor(account, intent, card);
}

/** Charges a card for an unpaid payment intent; a failed intent keeps its id. */
export function chargeFor(account: Account, intent: PaymentIntent, card: Card): PaymentIntent {
  // Nothing is attempted, and no payment has failed.
  if (card === 'is_removed') return intent;
  const error = cardError(card);
  intent.last_payment_error = error;
  if (error !== null) return failed(account, intent);
  const charge = recordCharge(account, intent);
  intent.latest_charge = charge.id;
  if (card !== 'pends') return succeeded(account, intent, charge);
  intent.status = 'processing';
  emit(account, 'charge.pending', charge);
  emit(account, 'payment_intent.processing', intent);
  return intent;
}

/** The bank's answer to a debit. */
export function answerDebit(
  account: Account,
  intent: PaymentIntent,
  answer: 'succeeded' | 'failed',
): PaymentIntent {
  const charge = account.get('charge', intent.latest_charge ?? '');
  if (answer === 'succeeded') return succeeded(account, intent, charge);
  intent.last_payment_error = cardError('has_insufficient_funds');
  Object.assign(charge, { paid: false, status: 'failed', failure_code: intent.last_payment_error?.code });
  emit(account, 'charge.failed', charge);
  return failed(account, intent);
}

function succeeded(account: Account, intent: PaymentIntent, charge: Charge): PaymentIntent {
  const { amount, currency } = charge;
  const fee = toCharged((amount * FEE_PERMILLE) / 1000 + FEE_FIXED, currency);
  const line = { amount, fee, currency, source: charge.id, type: 'charge' } as const;
  Object.assign(charge, {
    balance_transaction: recordBalance(account, line),
    paid: true,
    status: 'succeeded',
  });
  Object.assign(intent, { amount_received: amount, status: 'succeeded' });
  emit(account, 'charge.succeeded', charge);
  emit(account, 'payment_intent.succeeded', intent);
  return intent;
}

function failed(account: Account, intent: PaymentIntent): PaymentIntent {
  intent.status = 'requires_payment_method';
  emit(account, 'payment_intent.payment_failed', intent);
  return intent;
}

/** Cancels an unpaid payment intent: nothing can be charged for it any more. */
export function cancelIntent(account: Account, intent: PaymentIntent): void {
  intent.status = 'canceled';
  emit(account, 'payment_intent.canceled', intent);
}

const REPORTED_AS: Record<BalanceTransaction['type'], BalanceTransaction['reporting_category']> = {
  adjustment: 'dispute',
  charge: 'charge',
  payout: 'payout',
  payout_failure: 'payout_reversal',
  refund: 'refund',
  refund_failure: 'refund_failure',
};

/** Records a balance transaction: money that comes in or goes out, less the fee. */
export function recordBalance(
  account: Account,
  line: {
    amount: number;
    fee: number;
    currency: string;
    source: string;
    type: BalanceTransaction['type'];
  },
): string {
  return account.add({
    id: newId('txn'),
    object: 'balance_transaction',
    ...line,
    available_on: account.now + AVAILABLE_AFTER_S,
    created: account.now,
    exchange_rate: null,
    net: line.amount - line.fee,
    reporting_category: REPORTED_AS[line.type],
    status: 'pending',
  }).id;
}

function recordCharge(account: Account, intent: PaymentIntent): Charge {
  const { amount, currency, customer } = intent;
  return account.add({
    id: newId('ch'),
    object: 'charge',
    amount,
    amount_refunded: 0,
    balance_transaction: null,
    captured: true,
    created: account.now,
    currency,
    customer,
    disputed: false,
    failure_code: null,
    livemode: account.livemode,
    metadata: { ...intent.metadata },
    paid: false,
    payment_intent: intent.id,
    refunded: false,
    status: 'pending',
  });
}
