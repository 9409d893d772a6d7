import { CONNECTION_DISABLED, type Capabilities, type Capability } from '../domain/capabilities';
import { TollgateError, type ErrorCode } from '../domain/errors';

/** Refusals that customers understand as they are; their words stand in the page. */
const TOLD: ReadonlySet<ErrorCode> = new Set([
  'portal_session_required',
  'portal_link_invalid',
  'portal_action_not_offered',
  'subscription_not_found',
  'operation_not_found',
  'change_without_effect',
  'change_differs',
  'no_scheduled_change',
  'rate_limited',
  'service_busy',
  'service_unavailable',
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

/** What adapters put behind a sentence for the provider's support: its code and the name of the request. */
const TRACE = /(?<=\.) \([^()]*\)$/;

/** What is wrong between an operator and a provider is no customer's business. */
const NOT_NOW = 'This cannot be done at the moment.';

/**
 * A refusal as customers may read it: its code where it means something to them, and never an id, a provider's words or
 * what an operator has to set. `reason` has a sentence to show.
 */
export function toCustomerSafe(error: TollgateError): TollgateError {
  const { code, retryAfter } = error;
  if (code === 'internal_error') return error;
  // The log has what it was.
  const options = { cause: error, ...(retryAfter === undefined ? {} : { retryAfter }) };
  if (TOLD.has(code) || MALFORMED.has(code)) return new TollgateError(code, NOT_NOW, options);
  if (SAID.has(code)) {
    const reason = error.detail.replace(TRACE, '');
    return new TollgateError(code, reason, { ...options, extra: { reason } });
  }
  if (error.status >= 500) return new TollgateError('internal_error', NOT_NOW, options);
  return new TollgateError('capability_unavailable', NOT_NOW, { ...options, extra: { reason: NOT_NOW } });
}

/** What can be done, as customers may read it: that a connection is disabled is no customer's business either. */
export function toCustomerCapabilities(capabilities: Capabilities): Capabilities {
  const told = (capability: Capability): Capability =>
    capability.reasonCode === CONNECTION_DISABLED.reasonCode
      ? { ...capability, reason: NOT_NOW, reasonCode: null }
      : capability;
  const { cancel, reactivate, planChange, seatChange } = capabilities;
  return {
    ...{ cancel: told(cancel), reactivate: told(reactivate) },
    ...{ planChange: told(planChange), seatChange: told(seatChange) },
  };
}
