import { TollgateError } from './errors';

/** Builds the error for what a payment provider, or its adapter, declines. @param code the adapter's */
export function providerRefused(code: string, reason: string): TollgateError {
  return new TollgateError('provider_refused', reason, { extra: { providerCode: code } });
}

/** Returns the adapter's code if a provider declined; the error's own otherwise. */
export function declinedCodeOf({ code, extra }: TollgateError): string {
  const providerCode = extra?.['providerCode'];
  return typeof providerCode === 'string' ? providerCode : code;
}
