import type { ErrorDefinition } from './definition';

/** What the receiver of providers' webhooks answers. */
export const webhookErrors = {
  webhook_signature_invalid: {
    status: 400,
    title: 'The webhook’s signature matches no connection.',
    fix: 'Check that the connection has the provider’s signing secret, and that the provider sends to the webhook URL that the console shows.',
  },
  webhook_environment_mismatch: {
    status: 400,
    title: 'The webhook belongs to the other environment.',
    fix: 'Send the provider’s test events to the sandbox host, and its live events to the production host.',
  },
  webhook_throttled: {
    status: 429,
    title: 'Too many unsigned webhooks came from this IP address, so this one was rejected unread.',
    fix: 'Let the provider retry after `Retry-After`. Behind a proxy, set `TOLLGATE_TRUSTED_PROXIES` so that each sender is counted by its own address.',
  },
  webhook_unverifiable: {
    status: 503,
    title: 'The webhook cannot be verified or reconciled at the moment.',
    fix: 'Let the provider retry. If this continues, complete the connection’s credentials and test the connection.',
  },
  webhook_processing_failed: {
    status: 500,
    title: 'The webhook was verified but could not be processed.',
    fix: 'Let the provider retry, or replay it in the console. Its entry shows what failed.',
  },
  webhook_not_found: {
    status: 404,
    title: 'There is no such webhook.',
    fix: 'Check the webhook’s id against `GET /api/webhooks` of this environment.',
  },
  webhook_not_replayable: {
    status: 409,
    title: 'The webhook cannot be replayed now.',
    fix: 'Read `detail`: the connection must be enabled and the provider reachable.',
  },
} as const satisfies Record<string, ErrorDefinition>;
