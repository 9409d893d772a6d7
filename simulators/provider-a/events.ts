import { createHmac } from 'node:crypto';
import { namedCall } from '../core/named-call';
import { newId, type Account } from './account';
import type { StoredEvent, WebhookEndpoint } from './stored-records';
import { renderForVersion } from './render';

const delivery = namedCall('a.delivery', (account: Account, endpoint: WebhookEndpoint, body: Buffer) => ({
  url: endpoint.url,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Provider-A/1.0 (simulator)',
    'stripe-signature': signatureHeader(
      body,
      account.signingSecrets.get(endpoint.id) ?? [],
      account.core.clock.real(),
    ),
  },
  body,
}));

/** Records an event and notifies each subscribed endpoint, with bytes rendered now. */
export function emit(
  account: Account,
  type: string,
  object: unknown,
  previous?: Record<string, unknown>,
): void {
  const endpoints = account.all('webhook_endpoint').filter(({ status, enabled_events: wanted }) => {
    return status === 'enabled' && (wanted.includes('*') || wanted.includes(type));
  });
  const event: StoredEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: account.apiVersion,
    created: account.now,
    data: { object: renderForVersion(account, object, account.apiVersion) },
    livemode: account.livemode,
    pending_webhooks: endpoints.length,
    request: account.request,
    type,
  };
  if (previous !== undefined) event.data.previous_attributes = previous;
  account.events.push(Object.freeze(event));
  for (const endpoint of endpoints) announce(account, endpoint, event, object);
}

function announce(account: Account, endpoint: WebhookEndpoint, event: StoredEvent, object: unknown): void {
  const version = endpoint.api_version ?? account.apiVersion;
  const data = { ...event.data, object: renderForVersion(account, object, version) };
  const body = Buffer.from(JSON.stringify({ ...event, api_version: version, data }, undefined, 2));
  account.core.outbox.send(delivery(account, endpoint, body), {
    provider: 'a',
    event: event.type,
    id: event.id,
  });
}

/**
 * Returns `t=<seconds>,v1=<HMAC-SHA256 of t.body>`, with a `v1` for each active secret.
 *
 * @param at epoch milliseconds of real time
 */
function signatureHeader(body: Buffer, secrets: readonly string[], at: number): string {
  const t = Math.floor(at / 1000);
  const sign = (secret: string): string =>
    createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
  return [`t=${t}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',');
}
