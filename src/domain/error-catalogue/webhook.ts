import type { ErrorDefinition } from './definition';

/** What the receiver of providers' webhooks answers. */
export const webhookErrors = {
  webhook_signature_invalid: {
    status: 400,
    title: 'The webhook’s signature belongs to no connection that it could be for.',
    fix: 'Compare the signing secret at the provider with the connection’s, and use the address that the console shows for it.',
  },
  webhook_environment_mismatch: {
    status: 400,
    title: 'The webhook is of the other environment.',
    fix: 'Send the provider’s test events to the sandbox host, and its live events to the production host.',
  },
  webhook_throttled: {
    status: 429,
    title: 'Too many webhooks of this address were not signed; this one was not looked at.',
    fix: 'Let the provider send it again after `Retry-After`. Behind a proxy, set `TOLLGATE_TRUSTED_PROXIES`, so that senders are told apart.',
  },
  webhook_unverifiable: {
    status: 503,
    title: 'The webhook cannot be verified, or compared with the provider, at the moment.',
    fix: 'Let the provider send it again. If it persists, complete the connection’s credentials and test the connection.',
  },
  webhook_processing_failed: {
    status: 500,
    title: 'The webhook was verified and could not be processed.',
    fix: 'Let the provider send it again, or replay it in the console; its entry says what failed.',
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
