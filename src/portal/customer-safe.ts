import { CONNECTION_DISABLED, type Capabilities, type Capability } from '../domain/capabilities';
import { TollgateError, type ErrorCode } from '../domain/errors';

/** Codes of refusals that customers see. The page has the wording. */
const SHOWN: ReadonlySet<ErrorCode> = new Set([
  'portal_session_required',
  'portal_link_invalid',
  'portal_action_not_offered',
  'subscription_not_found',
  'operation_not_found',
  'change_without_effect',
  'change_differs',
  'plan_archived',
  'no_scheduled_change',
  'rate_limited',
  'service_busy',
  'service_unavailable',
  'temporal_unavailable',
]);

/** Refusals whose sentence, or whose capability's reason, is meant for customers. */
const SAID: ReadonlySet<ErrorCode> = new Set([
  'capability_unavailable',
  'capability_unsupported',
  'payment_declined',
]);

/** Refusals of requests that the page does not send. */
const MALFORMED: ReadonlySet<ErrorCode> = new Set([
  'validation_failed',
  'idempotency_key_reused',
  'idempotency_key_in_use',
]);

/** Suffix that adapters add for the provider's support: its code and the id of the request. */
const TRACE = /(?<=\.) \([^()]*\)$/;

/** Problems between an operator and a provider are not shown to customers. */
const NOT_NOW = 'This cannot be done at the moment.';

/**
 * Converts a refusal for customers: with its code if it means something to them, and never with an id, a provider's
 * wording or what an operator has to configure. `reason` has a sentence to display.
 */
export function toCustomerSafe(error: TollgateError): TollgateError {
  const { code, retryAfter } = error;
  if (code === 'internal_error') return error;
  // The log keeps the original error.
  const options = { cause: error, ...(retryAfter === undefined ? {} : { retryAfter }) };
  if (SHOWN.has(code) || MALFORMED.has(code)) return new TollgateError(code, NOT_NOW, options);
  if (SAID.has(code)) {
    const reason = error.detail.replace(TRACE, '');
    return new TollgateError(code, reason, { ...options, extra: { reason } });
  }
  if (error.status >= 500) return new TollgateError('internal_error', NOT_NOW, options);
  return new TollgateError('capability_unavailable', NOT_NOW, { ...options, extra: { reason: NOT_NOW } });
}

/** Converts the reason why an action is unavailable, as for capabilities. */
export function toCustomerReason(
  found: Pick<Capability, 'reason' | 'reasonCode'> | null,
): Pick<Capability, 'reason' | 'reasonCode'> {
  const { reason = null, reasonCode = null } = found ?? {};
  return reasonCode === CONNECTION_DISABLED.reasonCode
    ? { reason: NOT_NOW, reasonCode: null }
    : { reason, reasonCode };
}

/** Converts capabilities for customers, who are not shown that a connection is disabled. */
export function toCustomerCapabilities(capabilities: Capabilities): Capabilities {
  const safe = (capability: Capability): Capability => ({ ...capability, ...toCustomerReason(capability) });
  const { cancel, reactivate, planChange, seatChange } = capabilities;
  return {
    cancel: safe(cancel),
    reactivate: safe(reactivate),
    planChange: safe(planChange),
    seatChange: safe(seatChange),
  };
}
