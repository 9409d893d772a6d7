import { connect, fakeSecret } from '../connections/connection-calls';
import { eventOf } from './fake-provider';
import { paymentOf, WebhookWorkspace } from './webhook-workspace';
import { useStarted } from '../support/use-started';

const one = useStarted(() => WebhookWorkspace.start());
let two: WebhookWorkspace;
beforeAll(async () => {
  two = await one.another();
});

const refused = [400, 'webhook_signature_invalid'];

test('the connection that the address names is tried, and no other', async () => {
  const event = eventOf('ignored');
  const platform = (await one.attempts()).platform;
  const elsewhere = await one.post(event, { connection: two.connection });
  expect([elsewhere.status, elsewhere.body['code']]).toEqual(refused);
  expect((await two.attempts()).connection).toBe(1);
  const unknown = await one.post(event, { connection: 'conn_unknown' });
  expect([unknown.status, unknown.body['code']]).toEqual(refused);
  expect((await one.attempts()).platform).toBe(platform + 1);
  expect((await one.post(event)).status).toBe(200);
});

test('without it, the references select the connection, and only that connection’s signature counts', async () => {
  const { reference } = await two.subscribe();
  const references = [{ kind: 'subscription' as const, reference }];
  const event = eventOf('subscription.changed', { references });
  const before = await two.attempts();
  const foreign = await one.post(event, { connection: null });
  expect([foreign.status, foreign.body['code']]).toEqual(refused);
  expect((await two.attempts()).connection).toBe(before.connection + 1);
  expect((await two.post(event, { connection: null })).status).toBe(200);
});

test('with no known reference, the connections of the environment are tried', async () => {
  const unknown = [{ kind: 'payout' as const, reference: 'po_unknown' }];
  const mine = await two.post(eventOf('ignored', { references: unknown }), { connection: null });
  expect(mine.status).toBe(200);
  expect((await two.operator.get(`/api/webhooks/${String(mine.body['eventId'])}`)).body).toMatchObject({
    connectionId: two.connection,
    status: 'ignored',
  });
  const { platform } = await one.attempts();
  const nobodys = await one.post(eventOf('ignored'), { connection: null, secret: 'whsec_fake_nobody' });
  expect([nobodys.status, nobodys.body['code']]).toEqual(refused);
  expect((await one.attempts()).platform).toBe(platform + 1);
});

test('incomplete connections of a workspace are no candidates, and many of one leave room for others', async () => {
  const other = await one.another();
  for (let n = 0; n < 12; n += 1)
    await connect(other.operator, { secrets: { secretKey: fakeSecret('sk_test_') } });
  const forged = await one.post(eventOf('ignored'), { connection: null, secret: 'whsec_fake_nobody' });
  expect([forged.status, forged.body['code']]).toEqual(refused);
  const late = await one.another();
  expect((await late.post(eventOf('ignored'), { connection: null })).status).toBe(200);
});

test('an answer does not tell which connections there are', async () => {
  const answers = [
    await one.post(eventOf('ignored'), { secret: 'whsec_fake_wrong' }),
    await one.post(eventOf('ignored'), { connection: 'conn_unknown' }),
  ];
  const [wrong, unknown] = answers.map(({ status, body }) => [
    status,
    body['code'],
    body['title'],
    body['detail'],
  ]);
  expect(unknown).toEqual(wrong);
});

test('one secret in two workspaces selects neither', async () => {
  const there = await one.another();
  const secrets = { secretKey: fakeSecret('sk_test_'), webhookSecret: there.secret };
  await connect(two.operator, { secrets });
  const event = eventOf('ignored');
  const answer = await there.post(event, { connection: null });
  expect([answer.status, answer.body['code']]).toEqual(refused);
  expect((await there.post(event)).status).toBe(200);
});

test('connections of the other environment are not looked at, and its events are refused', async () => {
  const before = await one.attempts();
  const event = eventOf('ignored');
  for (const connection of [one.connection, null]) {
    const answer = await one.post(event, { connection, host: 'production' });
    expect([answer.status, answer.body['code']]).toEqual(refused);
  }
  const live = await one.post(eventOf('ignored', { environment: 'production' }));
  expect([live.status, live.body['code']]).toEqual([400, 'webhook_environment_mismatch']);
  const now = await one.attempts();
  expect([now.platform - before.platform, now.connection - before.connection]).toEqual([2, 1]);
  expect(await one.rows('webhook_events', 'id', `event_type = 'fake.ignored' AND status = 'failed'`)).toEqual(
    [],
  );
});

test('a disabled connection is not tried', async () => {
  const there = await one.another();
  await there.service.database.query(
    'UPDATE tollgate.provider_connections SET disabled_at = now() WHERE id = $1',
    [there.connection],
  );
  expect((await there.post(eventOf('ignored'))).body['code']).toBe('webhook_signature_invalid');
});

test('while a connection’s key is missing its webhooks are refused and sent again, and another connection is found as ever', async () => {
  const [there, here] = [await one.another(), await one.another()];
  const event = eventOf('ignored');
  const rename = (from: string, to: string) =>
    there.service.database.query(
      `UPDATE tollgate.provider_connections SET envelope = overlay(envelope PLACING $3::bytea FROM 4)
        WHERE id = $1 AND substring(envelope FROM 4 FOR 2) = $2::bytea`,
      [there.connection, Buffer.from(from), Buffer.from(to)],
    );
  await rename('k1', 'k9');
  for (const secret of [there.secret, 'whsec_fake_wrong']) {
    const answer = await there.post(event, { secret });
    expect([answer.status, answer.body['code']]).toEqual([503, 'webhook_unverifiable']);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(await there.rows('webhook_failures', 'kind')).toEqual([
    { kind: 'unavailable' },
    { kind: 'unavailable' },
  ]);
  expect(await there.rows('webhook_events', 'id')).toEqual([]);
  expect((await here.post(eventOf('ignored'), { connection: null })).status).toBe(200);
  await rename('k9', 'k1');
  expect((await there.post(event)).status).toBe(200);
});

test('a signature of one workspace cannot touch another, whatever ids the body names', async () => {
  const { id, reference } = await two.subscribe();
  two.say(reference, { status: 'cancelled' });
  await two.refer('payment', 'pi_two', 'pay_of_two');
  const before = await two.state();
  one.provider.reads.length = 0;
  const payment = paymentOf('pi_two', { subscriptionReference: reference });
  const references = [
    { kind: 'subscription' as const, reference },
    { kind: 'payment' as const, reference: 'pi_two' },
    { kind: 'subscription' as const, reference: id },
  ];
  const answer = await one.post(eventOf('payment.failed', { references, payment }));
  expect(answer.status).toBe(200);
  expect((await one.operator.get(`/api/webhooks/${String(answer.body['eventId'])}`)).body['status']).toBe(
    'unmatched',
  );
  expect(one.provider.reads).toEqual([]);
  expect(await two.state()).toEqual(before);
  expect((await two.operator.get(`/api/webhooks/${String(answer.body['eventId'])}`)).status).toBe(404);
});

test('a signature of one connection cannot touch another of the same workspace', async () => {
  const { reference } = await one.subscribe();
  const secret = fakeSecret('whsec_');
  const secrets = { secretKey: fakeSecret('sk_test_'), webhookSecret: secret };
  const second = await connect(one.operator, { secrets });
  one.say(reference, { status: 'cancelled' });
  const before = await one.state();
  const event = eventOf('subscription.ended', { references: [{ kind: 'subscription', reference }] });
  const answer = await one.post(event, { connection: second, secret });
  expect(answer.status).toBe(200);
  expect(await one.state()).toEqual(before);
});
