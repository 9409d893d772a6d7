import { CREDENTIALS_MISSING, NOT_FOUND, type ProviderBFailure } from './failure';

const DECLINED = 'The payment was declined. Choose another way to pay and try again.';
const OTHERWISE = 'The payment provider refused this.';

/** Provider B's reasons for refusing, by code, in words that a customer may read. */
const WORDS: Readonly<Partial<Record<string, string>>> = {
  [CREDENTIALS_MISSING]: 'The connection to the payment provider is not complete.',
  [NOT_FOUND]: 'The payment provider does not have this object.',
  reference_invalid: 'The payment provider cannot look this up.',
  INSTRUMENT_DECLINED: DECLINED,
  TRANSACTION_REFUSED: DECLINED,
  PAYER_CANNOT_PAY: DECLINED,
  CAPTURE_DECLINED: DECLINED,
  DUPLICATE_INVOICE_ID: 'This has already been paid.',
  PLAN_STATUS_INVALID: 'The payment provider no longer offers this plan.',
  PLAN_PRODUCT_NOT_COMPATIBLE: 'The payment provider cannot change between these two plans.',
  SUBSCRIPTION_CANNOT_HAVE_QUANTITY: 'The payment provider’s plan does not support seats.',
  SUBSCRIPTION_STATUS_INVALID: 'The state of the subscription at the payment provider does not allow this.',
  CAPTURE_FULLY_REFUNDED: 'The payment has already been refunded in full.',
  TRANSACTION_ALREADY_REFUNDED: 'The payment has already been refunded in full.',
  REFUND_AMOUNT_EXCEEDED: 'The refund exceeds what remains of the payment.',
  REFUND_EXCEEDED_TRANSACTION_AMOUNT: 'The refund exceeds what remains of the payment.',
  CURRENCY_MISMATCH: 'The refund is not in the currency of the payment.',
  PENDING_CAPTURE: 'The payment has not cleared yet. Refund it when it has.',
  REFUND_TIME_LIMIT_EXCEEDED: 'The payment is too old for a refund.',
  CAPTURE_DISPUTED_PARTIAL_REFUND_NOT_ALLOWED:
    'The payment is disputed, so it can only be refunded in full: all that remains of it.',
  SALE_REFUND_REFUSED:
    'The payment provider does not allow this refund. A disputed payment can only be refunded in full: all that remains of it.',
  REFUND_NOT_ALLOWED: 'The payment provider does not allow a refund of this payment.',
  REFUND_FAILED_INSUFFICIENT_FUNDS:
    'The account at the payment provider does not have enough money for this refund.',
  REFUND_FAILED: 'The payment provider could not make the refund.',
  amount_not_supported: 'The payment provider does not take this amount in this currency.',
  INVALID_CURRENCY_CODE: 'The payment provider does not take this currency.',
  CURRENCY_NOT_SUPPORTED: 'The payment provider does not take this currency.',
  DUPLICATE_REQUEST_ID: 'This key was already used for another request to the payment provider.',
};

/** Returns a sentence that a customer may read, followed by the debug id that provider B's support asks for. */
export function refusalReason({ code, debugId, isOfCredentials }: ProviderBFailure): string {
  const words =
    (Object.hasOwn(WORDS, code) ? WORDS[code] : undefined) ??
    (isOfCredentials ? 'The payment provider does not accept the connection’s credentials.' : OTHERWISE);
  return debugId === undefined || debugId === null ? words : `${words} (debug id ${debugId})`;
}
