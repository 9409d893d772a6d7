import { TollgateError } from './errors';

/** Builds the error for what a payment provider, or its adapter, declines. @param code the adapter's */
export function providerRefused(code: string, reason: string): TollgateError {
  return new TollgateError('provider_refused', reason, { extra: { providerCode: code } });
}

/** Codes by which the customer's payment method declined, or is missing. */
const PAYMENT_METHOD_CODES: ReadonlySet<string> = new Set([
  'card_declined',
  'customer_action_required',
  'payment_method_missing',
]);

/** Builds the same error, or `payment_declined` if the customer's payment method declined or is missing. */
export function declinedByProvider(code: string, reason: string): TollgateError {
  if (!PAYMENT_METHOD_CODES.has(code)) return providerRefused(code, reason);
  return new TollgateError('payment_declined', reason, { extra: { providerCode: code } });
}

/** Returns the adapter's code if a provider declined; the error's own otherwise. */
export function declinedCodeOf({ code, extra }: TollgateError): string {
  const providerCode = extra?.['providerCode'];
  return typeof providerCode === 'string' ? providerCode : code;
}

/** The adapters' code of a refusal because the subscription has ended at the provider. */
export const ENDED_AT_PROVIDER = 'subscription_ended';
