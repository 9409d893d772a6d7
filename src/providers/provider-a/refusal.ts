import Stripe from 'stripe';
import type { Outcome } from '../outcome';

type Declined = Extract<Outcome<never>, { kind: 'declined' }>;

const APPROVAL = 'The bank asks the customer to approve this payment, so nothing was changed.';
const FORBIDDEN = "The connection's key does not permit this at the payment provider.";
const BEYOND = 'More of this payment has been refunded at the payment provider.';
const UNCHARGED =
  'Nothing was charged for this payment at the payment provider, so nothing can be refunded there.';
const DECLINED = 'The card was declined, so nothing was changed.';
const INACTIVE_PRICE = 'The plan’s price is inactive at the payment provider.';
const NO_CARD = 'There is no card to charge, so nothing was changed.';

/** Codes by which the provider says that a card needs action by its customer. */
const APPROVAL_CODES: ReadonlySet<string | undefined> = new Set([
  'authentication_required',
  'subscription_payment_intent_requires_action',
  'invoice_payment_intent_requires_action',
]);

/** Decline codes that customers may see; the provider asks to keep the others private. */
const CARD_SENTENCES: ReadonlyMap<string | undefined, string> = new Map([
  ['expired_card', 'The card has expired, so nothing was changed.'],
  ['incorrect_cvc', "The card's security code is wrong, so nothing was changed."],
  ['insufficient_funds', 'The card has insufficient funds, so nothing was changed.'],
]);

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['amount_too_large', 'The amount is more than the payment provider accepts.'],
  ['amount_too_small', 'The amount is less than the payment provider accepts.'],
  ['charge_already_refunded', 'This payment has already been refunded.'],
  ['charge_disputed', 'This payment is disputed at the bank, so it cannot be refunded.'],
  ['email_invalid', 'The payment provider does not accept the email address.'],
]);

/**
 * Returns the provider's final refusal with a sentence that a customer may read, followed in parentheses by the
 * provider's code, the permission that the key lacks, and the request id for its support. Undefined for a failure that
 * leaves the outcome open.
 *
 * Codes: `card_declined`, `customer_action_required`, `payment_method_missing`, `permission_denied`, `price_inactive`,
 * `not_found`, or the provider's own; `invalid_request` if it has none.
 */
export function refusalOf(error: unknown): Declined | undefined {
  if (error instanceof Stripe.errors.StripeCardError) return cardRefusal(error);
  if (error instanceof Stripe.errors.StripePermissionError) {
    return declinedWith('permission_denied', FORBIDDEN, error);
  }
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return undefined;
  const { code = 'invalid_request', statusCode } = error;
  if (error.message.includes('greater than unrefunded amount')) {
    return declinedWith('refund_exceeds_payment', BEYOND, error);
  }
  // Its code is that of a missing object.
  if (error.message.includes('no attached payment source'))
    return declinedWith('payment_method_missing', NO_CARD, error);
  if (error.message.includes('does not have a successful charge'))
    return declinedWith('not_found', UNCHARGED, error);
  if (error.message.includes('price specified is inactive'))
    return declinedWith('price_inactive', INACTIVE_PRICE, error);
  if (statusCode === 404 || code === 'resource_missing')
    return declinedWith('not_found', missing(error.param), error);
  return declinedWith(code, SENTENCES.get(code) ?? 'The payment provider refused this.', error);
}

function cardRefusal(error: Stripe.errors.StripeCardError): Declined {
  if (APPROVAL_CODES.has(error.code) || APPROVAL_CODES.has(error.decline_code)) {
    return declinedWith('customer_action_required', APPROVAL, error);
  }
  const sentence = CARD_SENTENCES.get(error.decline_code) ?? CARD_SENTENCES.get(error.code);
  return declinedWith('card_declined', sentence ?? DECLINED, error);
}

function missing(parameter: string | undefined): string {
  if (parameter?.includes('price') === true) return 'The payment provider does not have this plan.';
  if (parameter === 'customer') return 'The payment provider does not have this customer.';
  return 'The payment provider does not have this object.';
}

/**
 * Returns the permission that a restricted key lacks, as the provider calls it (`rak_charge_read`). Undefined if the
 * provider does not name one, and for other errors.
 */
export function lackedPermission(error: Stripe.errors.StripeError): string | undefined {
  if (!(error instanceof Stripe.errors.StripePermissionError)) return undefined;
  return /'(rak_\w{1,80})'/.exec(error.message)?.[1];
}

function declinedWith(code: string, sentence: string, error: Stripe.errors.StripeError): Declined {
  const { requestId } = error;
  const permission = lackedPermission(error);
  const traces = [
    error.code,
    permission && `lacks ${permission}`,
    requestId && `request ${requestId}`,
  ].filter((trace) => trace !== undefined);
  return {
    kind: 'declined',
    code,
    reason: traces.length === 0 ? sentence : `${sentence} (${traces.join(', ')})`,
  };
}
