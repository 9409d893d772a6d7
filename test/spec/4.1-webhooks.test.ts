import { connect, fakeSecret } from '../connections/connection-calls';
import { bytesOf, eventOf, signatureOf } from '../webhooks/fake-provider';
import { WebhookWorkspace } from '../webhooks/webhook-workspace';
import { useStarted } from '../support/use-started';

const ours = useStarted(() => WebhookWorkspace.start());

const send = (host: 'sandbox' | 'production', path: string, bytes: Buffer, headers: Record<string, string>) =>
  fetch(ours.service.urls[host] + path, { method: 'POST', headers, body: new Uint8Array(bytes) });

test('a webhook is public, by provider in the path, and answered 200 after its commit', async () => {
  const event = eventOf('ignored');
  const { status, body } = await ours.post(event);
  expect([status, body]).toEqual([200, { received: true, eventId: body['eventId'] }]);
  expect(await ours.rows('webhook_events', 'dedupe_key', `id = '${String(body['eventId'])}'`)).toEqual([
    { dedupe_key: event.dedupeKey },
  ]);
  const again = await ours.post(event);
  expect([again.status, again.body]).toEqual([200, { ...body, duplicate: true }]);
});

test('both hosts serve it, each for the connections of its environment', async () => {
  const secret = fakeSecret('whsec_');
  const secrets = { secretKey: fakeSecret('sk_live_'), webhookSecret: secret };
  const live = await connect(ours.operator, { secrets }, 'production');
  const event = eventOf('ignored', { environment: 'production' });
  const sending = { connection: live, secret };
  expect((await ours.post(event, { ...sending, host: 'production' })).status).toBe(200);
  expect((await ours.post(event, sending)).body['code']).toBe('webhook_signature_invalid');
  expect(await ours.rows('webhook_events', 'environment', `connection_id = '${live}'`)).toEqual([
    { environment: 'production' },
  ]);
});

test('the body is taken as bytes, of whatever Content-Type, up to 512 KB', async () => {
  const path = `/v1/webhooks/provider_a?connection=${ours.connection}`;
  // A parser would preserve neither the order of members nor the spelling of a number.
  const bytes = Buffer.from(
    bytesOf(eventOf('ignored')).toString().replace('{', '{ "b":1.0, "a":1e0, "\\u0061b":"\\/",'),
  );
  const signed = { 'Stripe-Signature': signatureOf(ours.secret, bytes) };
  const plain = await send('sandbox', path, bytes, { ...signed, 'Content-Type': 'text/plain' });
  expect(plain.status).toBe(200);
  const { eventId } = (await plain.json()) as { eventId: string };
  const [row] = await ours.rows<{ body: Buffer }>('webhook_events', 'body', `id = '${eventId}'`);
  expect(row?.body).toEqual(bytes);
  const large = Buffer.alloc(512 * 1024 + 1, ' ');
  const refused = await send('sandbox', path, large, { 'Stripe-Signature': signatureOf(ours.secret, large) });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    413,
    'body_too_large',
  ]);
});

test('other providers and other members of the address are refused', async () => {
  for (const path of ['/v1/webhooks/internal', '/v1/webhooks/provider_a?workspace=1']) {
    expect((await send('sandbox', path, Buffer.from('{}'), {})).status).toBe(400);
  }
  expect((await fetch(`${ours.service.urls.sandbox}/v1/webhooks/provider_a`)).status).toBe(405);
  expect(
    (await fetch(`${ours.service.urls.console}/v1/webhooks/provider_a`, { method: 'POST' })).status,
  ).toBe(404);
});
