import { TollgateError } from '../domain/errors';

/** Builds the refusal of an address that is no URL: it has no path, or its percent-encoding is not that of UTF-8. */
export function brokenAddress(): TollgateError {
  const message = 'is not a valid URL';
  const fix = 'Percent-encode each name in it as UTF-8, and a percent sign as %25.';
  return new TollgateError('validation_failed', `The address of the request ${message}.`, {
    errors: [{ pointer: '/path', message, fix }],
  });
}
