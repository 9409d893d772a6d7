import { deliverWebhooks } from './deliver-webhooks';
import type { ProviderWorld, WorldSubscription } from './provider-world';

/** Acts on a subscription at provider B, as in the provider's own dashboard. */
export async function actAtProviderB(
  { secrets, simulators }: ProviderWorld,
  { reference }: WorldSubscription,
  act: 'suspend' | 'activate' | 'cancel',
): Promise<void> {
  const { clientId = '', clientSecret = '' } = secrets.provider_b;
  const { b } = simulators.urls;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const signedIn = await fetch(`${b}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const acted = await fetch(`${b}/v1/billing/subscriptions/${reference}/${act}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'Dashboard.' }),
  });
  expect(acted.status).toBe(204);
  await deliverWebhooks(simulators.core.outbox);
}
