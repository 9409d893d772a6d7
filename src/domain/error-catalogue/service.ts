import type { ErrorDefinition } from './definition';

/** Trouble on the side of the service. */
export const serviceErrors = {
  service_busy: {
    status: 503,
    title: 'The service has more work than it can take on.',
    fix: 'Wait for the seconds in `Retry-After` and send the same request again.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many event streams are open.',
    fix: 'Close a stream that is not needed, then open this one again.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service cannot reach its database.',
    fix: 'Wait for the seconds in `Retry-After` and send the same request again.',
  },
  temporal_unavailable: {
    status: 503,
    title: 'Commands on subscriptions are not possible at the moment.',
    fix: 'Send the same request again later; check, track and events are not affected.',
  },
  key_unavailable: {
    status: 503,
    title: 'The service does not hold the key for these credentials.',
    fix: 'Have whoever operates the service set `TOLLGATE_CREDENTIAL_KEYS`, then send the same request again.',
  },
  credential_corrupt: {
    status: 500,
    title: 'The stored credentials are damaged or do not belong where they stand.',
    fix: 'Disable the connection and create a new one with the provider’s secrets.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side.',
    fix: 'Send the same request again; if it persists, report the `requestId`.',
  },
} as const satisfies Record<string, ErrorDefinition>;
