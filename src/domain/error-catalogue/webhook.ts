import type { ErrorDefinition } from './definition';

/** Responses of the receiver of providers' webhooks, and errors about the webhooks sent to integrators. */
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
  webhook_endpoint_not_found: {
    status: 404,
    title: 'There is no such webhook endpoint.',
    fix: 'Check the endpoint’s id against `GET /v1/webhook-endpoints` of this environment.',
  },
  webhook_delivery_not_found: {
    status: 404,
    title: 'The endpoint has no such delivery.',
    fix: 'Check the message’s id (`webhook-id`) and the environment. Messages are kept for 30 days.',
  },
  webhook_resend_not_found: {
    status: 404,
    title: 'The endpoint has no such resend.',
    fix: 'Use the `id` that the 202 answered, with its endpoint, in the same environment.',
  },
  webhook_address_refused: {
    status: 422,
    title: 'Webhooks are not sent to this address.',
    fix: 'Use a public address: https (http in a sandbox), without user name and password, on port 443, 80, or one from 1024 upwards that is not a database’s or blocked by browsers.',
  },
  too_many_webhook_endpoints: {
    status: 409,
    title: 'The environment has the maximum number of webhook endpoints.',
    fix: 'Delete endpoints that are no longer used, or let one receive more event types. An environment has at most 100.',
  },
  webhook_endpoint_off: {
    status: 409,
    title: 'The webhook endpoint is disabled.',
    fix: 'Enable it with `"enabled": true`, then repeat the request.',
  },
  webhook_resend_running: {
    status: 409,
    title: 'Messages are already being resent to this endpoint.',
    fix: 'Wait until the running resend has ended; `detail` names it.',
  },
} as const satisfies Record<string, ErrorDefinition>;
