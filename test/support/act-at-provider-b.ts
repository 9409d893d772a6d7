import { deliverWebhooks } from './deliver-webhooks';
import type { ProviderWorld, WorldSubscription } from './provider-world';

/** Acts on a subscription at provider B, as in the provider's own dashboard. */
export async function actAtProviderB(
  world: ProviderWorld,
  subscription: WorldSubscription,
  act: 'suspend' | 'activate' | 'cancel',
): Promise<void> {
  expect(await send(world, subscription, 'POST', `/${act}`, { reason: 'Dashboard.' })).toBe(204);
}

/** Charges what a subscription at provider B owes for failed payments, as its merchant may. */
export async function captureAtProviderB(
  world: ProviderWorld,
  subscription: WorldSubscription,
  value: string,
): Promise<void> {
  const amount = { currency_code: 'USD', value };
  const body = { note: 'Owed.', capture_type: 'OUTSTANDING_BALANCE', amount };
  expect(await send(world, subscription, 'POST', '/capture', body)).toBe(202);
}

/** Sets what a subscription at provider B owes to zero, as for a payment that was not made through B. */
export async function forgiveAtProviderB(
  world: ProviderWorld,
  subscription: WorldSubscription,
): Promise<void> {
  const value = { currency_code: 'USD', value: '0.00' };
  const body = [{ op: 'replace', path: '/billing_info/outstanding_balance', value }];
  expect(await send(world, subscription, 'PATCH', '', body)).toBe(204);
}

async function send(
  { secrets, simulators }: ProviderWorld,
  { reference }: WorldSubscription,
  method: 'POST' | 'PATCH',
  act: string,
  body: object,
): Promise<number> {
  const { clientId = '', clientSecret = '' } = secrets.provider_b;
  const { b } = simulators.urls;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const signedIn = await fetch(`${b}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const acted = await fetch(`${b}/v1/billing/subscriptions/${reference}${act}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await deliverWebhooks(simulators.core.outbox);
  return acted.status;
}
