import type { ErrorDefinition } from './definition';

/** Failures on the side of the service. */
export const serviceErrors = {
  service_busy: {
    status: 503,
    title: 'The service is overloaded.',
    fix: 'Wait for the seconds in `Retry-After` and send the same request again.',
  },
  rate_limited: {
    status: 429,
    title: 'The API key has reached one of its limits.',
    fix: 'Wait for the seconds in `Retry-After` and send the same request again, with the same Idempotency-Key. The limits are settings of the organization.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many event streams are open.',
    fix: 'Close a stream that you no longer need, then open this one again.',
  },
  too_many_exports: {
    status: 429,
    title: 'Too many exports are in progress.',
    fix: 'Let an export end, or close it, then request this one again.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service cannot reach its database.',
    fix: 'Wait for the seconds in `Retry-After` and send the same request again.',
  },
  temporal_unavailable: {
    status: 503,
    title: 'Subscription commands are temporarily unavailable.',
    fix: 'Send the same request again later; check, track and events are not affected.',
  },
  key_unavailable: {
    status: 503,
    title: 'The service does not hold the key for these credentials.',
    fix: 'Ask the operator of the service to set `TOLLGATE_CREDENTIAL_KEYS`, then send the same request again.',
  },
  credential_corrupt: {
    status: 500,
    title: 'The stored credentials are damaged or belong to another connection.',
    fix: 'Disable the connection and create a new one with the provider’s secrets.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side.',
    fix: 'Send the same request again; if it persists, report the `requestId`.',
  },
} as const satisfies Record<string, ErrorDefinition>;
