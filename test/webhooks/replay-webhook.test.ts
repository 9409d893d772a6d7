import { inWorkspace } from '../../src/db/workspace-transaction';
import { replayUnmatched } from '../../src/webhooks/replay-unmatched';
import { logIn } from '../support/operator';
import { useStarted } from '../support/use-started';
import { bytesOf, eventOf } from './fake-provider';
import { paymentOf, refundOf, WebhookWorkspace } from './webhook-workspace';

const ours = useStarted(() => WebhookWorkspace.start());

const read = async (id: unknown) => (await ours.operator.get(`/api/webhooks/${String(id)}`)).body;

test('what names nothing known is kept, told of, and applied when it is replayed', async () => {
  const { reference, id } = await ours.subscribe();
  await ours.service.database.query('DELETE FROM tollgate.provider_references WHERE reference = $1', [
    reference,
  ]);
  ours.say(reference, { cancelAtPeriodEnd: true });
  const event = eventOf('subscription.changed', { references: [{ kind: 'subscription', reference }] });
  const { status, body } = await ours.post(event);
  expect(status).toBe(200);
  const webhookId = String(body['eventId']);
  expect(await read(webhookId)).toMatchObject({ status: 'unmatched', matched: false, verified: true });
  const [pending] = await ours.events('PENDING');
  expect(pending?.data).toMatchObject({ webhookId, webhookStatus: 'unmatched' });

  await ours.refer('subscription', reference, id);
  const before = await ours.state();
  const path = `/api/webhooks/${webhookId}/replay`;
  const dry = await ours.operator.post(path, { query: { dryRun: 'true' } });
  const changes = [{ target: id, field: 'cancelAtPeriodEnd', from: 'false', to: 'true' }];
  expect([dry.status, dry.body]).toEqual([
    200,
    { eventId: webhookId, dryRun: true, status: 'applied', reason: null, changes },
  ]);
  expect(await ours.state()).toEqual(before);
  expect(await read(webhookId)).toMatchObject({ status: 'unmatched', changes: [] });

  // A body is refused instead of ignored if the route takes none.
  for (const body of [{ dryRun: true }, [], 'x'.repeat(1_100_000)]) {
    const refused = await ours.operator.post(path, { body });
    expect([refused.status, refused.body['code']]).toEqual([400, 'validation_failed']);
  }
  expect(await ours.state()).toEqual(before);

  const replayed = await ours.operator.post(path, { body: {} });
  expect(replayed.body).toMatchObject({ dryRun: false, status: 'applied', changes });
  expect(await read(webhookId)).toMatchObject({ status: 'applied', applied: true, changes });
  expect((await ours.operator.post(path)).body).toMatchObject({ status: 'applied', changes: [] });
  const audit = await ours.operator.get('/api/audit', { query: { action: 'webhook.replayed' } });
  expect(audit.body['data']).toHaveLength(2);
});

test('a refund that came before its payment is applied with it', async () => {
  const { reference } = await ours.subscribe();
  const refund = refundOf('re_early', 'pi_early');
  const early = await ours.post(eventOf('refund.changed', { refund }));
  expect(await read(early.body['eventId'])).toMatchObject({ status: 'unmatched' });
  const payment = paymentOf('pi_early', { subscriptionReference: reference });
  ours.provider.payments.set('pi_early', payment);
  const references = [{ kind: 'subscription' as const, reference }];
  await ours.post(eventOf('payment.succeeded', { references, payment }));
  expect(await read(early.body['eventId'])).toMatchObject({ status: 'applied' });
  expect(await ours.rows('refunds', 'amount, status')).toEqual([{ amount: '500', status: 'succeeded' }]);
});

test('who makes a reference known applies what waits for it and for that, in the same transaction', async () => {
  const { id } = await ours.subscribe();
  const payment = paymentOf('pi_waits', { subscriptionReference: 'sub_ref_late' });
  const references = [{ kind: 'subscription' as const, reference: 'sub_ref_late' }];
  const waiting = await ours.post(eventOf('payment.succeeded', { references, payment }));
  const refund = await ours.post(eventOf('refund.changed', { refund: refundOf('re_waits', 'pi_waits') }));
  const other = await ours.post(eventOf('payment.succeeded', { payment: paymentOf('pi_other') }));
  await ours.refer('subscription', 'sub_ref_late', id);
  const database = ours.service.open('tollgate_worker', 1);
  const scope = ours.workspace.sandbox;
  const connection = { scope, id: ours.connection, provider: 'provider_a' } as const;
  const at = { adapter: ours.provider, now: Date.now(), recordedAt: Date.now() };
  await inWorkspace(database, scope, 'SYSTEM', (trx) =>
    replayUnmatched(trx, connection, [{ kind: 'subscription', reference: 'sub_ref_late' }], at),
  );
  expect(await read(waiting.body['eventId'])).toMatchObject({ status: 'applied' });
  expect(await read(refund.body['eventId'])).toMatchObject({ status: 'applied' });
  expect(await read(other.body['eventId'])).toMatchObject({ status: 'unmatched' });
  expect(await ours.rows('payments', 'amount', `subscription_id = '${id}'`)).toEqual([{ amount: '2900' }]);
});

test('the list is newest first, paged, and filtered; the bytes are stored as they came', async () => {
  const there = await ours.another();
  const sent: unknown[] = [];
  const event = eventOf('ignored', { eventType: 'fake.Ünïcode' });
  for (const one of [event, eventOf('ignored'), eventOf('subscription.changed')]) {
    sent.unshift((await there.post(one)).body['eventId']);
  }
  const list = async (query: Record<string, string>) => {
    const { body } = await there.operator.get('/api/webhooks', { query });
    return { ids: (body['data'] as { id: string }[]).map(({ id }) => id), body };
  };
  expect((await list({})).ids).toEqual(sent);
  const first = await list({ take: '2' });
  expect([first.ids, first.body['hasMore']]).toEqual([sent.slice(0, 2), true]);
  expect((await list({ take: '2', cursor: String(first.body['nextCursor']) })).ids).toEqual(sent.slice(2));
  expect((await list({ status: 'unmatched' })).ids).toEqual(sent.slice(0, 1));
  expect((await list({ provider: 'provider_b' })).ids).toEqual([]);
  expect((await list({ connectionId: there.connection })).ids).toEqual(sent);
  const rows = await there.rows<{ body: Buffer; headers: object }>(
    'webhook_events',
    'body, headers',
    `id = '${String(sent[2])}'`,
  );
  expect(rows[0]?.body).toEqual(bytesOf(event));
  expect(Object.keys(rows[0]?.headers ?? {}).sort()).toEqual([
    'content-type',
    'stripe-signature',
    'user-agent',
  ]);
});

test('bytes that are no event any more are not replayed, and say so', async () => {
  const { body } = await ours.post(eventOf('subscription.changed'));
  const id = String(body['eventId']);
  await ours.service.database.query('UPDATE tollgate.webhook_events SET body = $2 WHERE id = $1', [
    id,
    Buffer.from('{"half":'),
  ]);
  for (const dryRun of ['true', 'false']) {
    const answer = await ours.operator.post(`/api/webhooks/${id}/replay`, { query: { dryRun } });
    expect([answer.status, answer.body['code']]).toEqual([409, 'webhook_not_replayable']);
  }
  expect(await read(id)).toMatchObject({ status: 'unmatched' });
});

test('a replay that the database interrupts is not the webhook’s fault', async () => {
  const { body } = await ours.post(eventOf('ignored'));
  const path = `/api/webhooks/${String(body['eventId'])}/replay`;
  const { database } = ours.service;
  await database.query(
    `CREATE FUNCTION public.interrupt() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE 'interrupted' USING ERRCODE = TG_ARGV[0]; END $$`,
  );
  for (const [state, code] of [
    ['57P01', 'service_unavailable'],
    ['55P03', 'service_busy'],
  ]) {
    await database.query(
      `CREATE OR REPLACE TRIGGER interrupt BEFORE UPDATE ON tollgate.webhook_events EXECUTE FUNCTION public.interrupt('${state}')`,
    );
    const answer = await ours.operator.post(path);
    expect([answer.status, answer.body['code']]).toEqual([503, code]);
  }
  await database.query('DROP TRIGGER interrupt ON tollgate.webhook_events');
});

test('replaying needs an administrator; reading does not', async () => {
  const { workspaceId } = ours.workspace;
  const viewer = await logIn(ours.service, { role: 'viewer', workspaceId });
  const { body } = await ours.post(eventOf('ignored'));
  const path = `/api/webhooks/${String(body['eventId'])}`;
  expect((await viewer.get(path)).status).toBe(200);
  const refused = await viewer.post(`${path}/replay`);
  expect([refused.status, refused.body['code']]).toEqual([403, 'role_forbidden']);
  expect((await ours.operator.post('/api/webhooks/whk_none/replay')).body['code']).toBe('webhook_not_found');
});
