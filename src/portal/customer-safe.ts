import { TollgateError, type ErrorCode } from '../domain/errors';

/** Refusals that customers understand as they are; their words stand in the page. */
const TOLD: ReadonlySet<ErrorCode> = new Set([
  'portal_session_required',
  'portal_link_invalid',
  'portal_action_not_offered',
  'subscription_not_found',
  'change_without_effect',
  'no_scheduled_change',
  'rate_limited',
  'service_busy',
  'temporal_unavailable',
]);

/** Refusals of which the sentence, or the capability's reason, is for customers. */
const SAID: ReadonlySet<ErrorCode> = new Set([
  'capability_unavailable',
  'capability_unsupported',
  'payment_declined',
]);

/** Refusals of a request that the page does not send. */
const MALFORMED: ReadonlySet<ErrorCode> = new Set([
  'validation_failed',
  'idempotency_key_reused',
  'idempotency_key_in_use',
]);

/** What is wrong between an operator and a provider is no customer's business. */
const NOT_NOW = 'This cannot be done at the moment.';

/**
 * A refusal as customers may read it: its code where it means something to them, and never an id, a provider's words or
 * what an operator has to set. `reason` has a sentence to show.
 */
export function toCustomerSafe(error: TollgateError): TollgateError {
  const { code, retryAfter } = error;
  const options = retryAfter === undefined ? {} : { retryAfter };
  if (error.status >= 500 && !TOLD.has(code)) return error;
  if (TOLD.has(code) || MALFORMED.has(code)) return new TollgateError(code, NOT_NOW, options);
  if (SAID.has(code))
    return new TollgateError(code, error.detail, { ...options, extra: { reason: error.detail } });
  return new TollgateError('capability_unavailable', NOT_NOW, { ...options, extra: { reason: NOT_NOW } });
}
