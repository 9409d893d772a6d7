import type { ErrorDefinition } from './definition';

/** Trouble on the side of the service. */
export const serviceErrors = {
  service_busy: {
    status: 503,
    title: 'The service has more work than it can take on.',
    fix: 'Wait for the seconds in `Retry-After` and send the same request again.',
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
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side.',
    fix: 'Send the same request again; if it persists, report the `requestId`.',
  },
} as const satisfies Record<string, ErrorDefinition>;
