import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { newId, type Account } from './account';
import { endpoint, type Endpoint } from './endpoint';
import { listOf } from './invoices';
import type { WebhookEndpoint } from './stored-records';
import { expand, flag, list, metadata, text, whole } from './parameters';

const createParameters = z.strictObject({
  api_version: text.optional(),
  enabled_events: list(text),
  expand,
  metadata: metadata.optional(),
  url: text,
});

const updateParameters = z.strictObject({
  disabled: flag.optional(),
  enabled_events: list(text).optional(),
  expand,
  url: text.optional(),
});

const listParameters = z.strictObject({ expand, limit: whole.optional() });

export const webhookEndpointEndpoints: Endpoint[] = [
  endpoint('POST', '/v1/webhook_endpoints', createParameters, ({ account, wanted }) => {
    const made = createWebhookEndpoint(account, {
      url: wanted.url,
      enabledEvents: wanted.enabled_events,
      apiVersion: wanted.api_version,
    });
    // The secret is only returned once, when the endpoint is created.
    return { ...made, secret: account.signingSecrets.get(made.id)?.[0] };
  }),
  endpoint('GET', '/v1/webhook_endpoints', listParameters, ({ account }) =>
    listOf(account.all('webhook_endpoint'), '/v1/webhook_endpoints'),
  ),
  endpoint('GET', '/v1/webhook_endpoints/:id', z.strictObject({ expand }), ({ account, id }) =>
    account.get('webhook_endpoint', id),
  ),
  endpoint('POST', '/v1/webhook_endpoints/:id', updateParameters, ({ account, id, wanted }) => {
    const found = account.get('webhook_endpoint', id);
    found.url = wanted.url ?? found.url;
    found.enabled_events = wanted.enabled_events ?? found.enabled_events;
    if (wanted.disabled !== undefined) found.status = wanted.disabled ? 'disabled' : 'enabled';
    return found;
  }),
  endpoint('DELETE', '/v1/webhook_endpoints/:id', z.strictObject({ expand }), ({ account, id }) => {
    account.get('webhook_endpoint', id);
    account.objects.delete(id);
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];

/** @param secret a chosen secret, for set-ups that must know it beforehand */
export function createWebhookEndpoint(
  account: Account,
  wanted: {
    url: string;
    enabledEvents?: string[] | undefined;
    apiVersion?: string | undefined;
    secret?: string | undefined;
  },
): WebhookEndpoint {
  const made = account.add({
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: wanted.apiVersion ?? null,
    created: account.now,
    enabled_events: wanted.enabledEvents ?? ['*'],
    livemode: account.livemode,
    metadata: {},
    status: 'enabled',
    url: wanted.url,
  });
  account.signingSecrets.set(made.id, [wanted.secret ?? `whsec_${randomBytes(24).toString('hex')}`]);
  return made;
}

/** Signs with a new secret and the old one, until the old one is dropped. Returns the new secret. */
export function rollSecret(account: Account, endpointId: string): string {
  const secret = `whsec_${randomBytes(24).toString('hex')}`;
  account.signingSecrets.set(endpointId, [
    secret,
    ...(account.signingSecrets.get(endpointId) ?? []).slice(0, 1),
  ]);
  return secret;
}
