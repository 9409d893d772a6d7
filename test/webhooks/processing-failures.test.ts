import { openDatabase } from '../../src/db/pools';
import type { Outcome } from '../../src/providers/outcome';
import { createLogger } from '../../src/telemetry/logger';
import { createRateLimitedLog } from '../../src/telemetry/rate-limited-log';
import { createCandidateRateLimit } from '../../src/webhooks/candidate-rate-limit';
import { receiveWebhook } from '../../src/webhooks/receive-webhook';
import { createRefusalAudit } from '../../src/webhooks/refusal-audit';
import { createWorkspaceQueues } from '../../src/webhooks/workspace-queues';
import { createTestAdapters } from '../support/adapters';
import { bytesOf, eventOf, signatureOf } from './fake-provider';
import { FailingStatements } from './failing-statements';
import { NEXT_END, PERIOD_END, paymentOf, refundOf, WebhookWorkspace } from './webhook-workspace';

let ours: WebhookWorkspace;
const failing = new FailingStatements();
beforeAll(async () => {
  ours = await WebhookWorkspace.start();
  failing.install();
});
afterAll(async () => {
  failing.uninstall();
  await ours.stop();
});

let made = 0;

/**
 * Returns a refund of a payment not seen yet, whose subscription the provider has renewed: it writes rows of every
 * kind.
 */
async function richEvent() {
  made += 1;
  const [payment, refund] = [`pi_fail_${made}`, `re_fail_${made}`];
  const { reference } = await ours.subscribe();
  ours.say(reference, { currentPeriodStart: PERIOD_END, currentPeriodEnd: NEXT_END });
  ours.provider.payments.set(payment, paymentOf(payment, { subscriptionReference: reference }));
  ours.provider.refunds.set(refund, refundOf(refund, payment));
  const references = [{ kind: 'subscription' as const, reference }];
  return eventOf('refund.changed', { references, refund: refundOf(refund, payment) });
}

/**
 * Returns whether a statement precedes verification: until the connection has been found, nothing is known to be
 * signed.
 */
function isBeforeVerification(statements: readonly string[], index: number): boolean {
  const opened = statements.findIndex((text) => text.includes('provider_connections'));
  const committed = statements.indexOf('COMMIT;', opened);
  return index <= committed;
}

test('whichever statement fails: an error is answered, the audit is committed, and the state is unchanged', async () => {
  // The first use of a pool executes an extra statement.
  await ours.post(await richEvent());
  failing.arm(0);
  expect((await ours.post(await richEvent())).status).toBe(200);
  const statements = [...failing.statements];
  expect(
    statements.filter((text) => /^insert into|^update|^with|enqueue/i.test(text)).length,
  ).toBeGreaterThan(7);
  const answers = new Map<number, number>();
  let writing = 0;
  for (const index of statements.keys()) {
    failing.arm(0);
    const event = await richEvent();
    const [before, counted] = [await ours.state(), await ours.attempts()];
    failing.arm(index + 1);
    const answer = await ours.post(event);
    failing.arm(0);
    const now = await ours.attempts();
    const failed = [
      answer.status >= 500,
      now.connection + now.platform - counted.connection - counted.platform,
    ];
    expect([index, statements[index], ...failed]).toEqual([index, statements[index], true, 1]);
    expect(await ours.state()).toEqual(before);
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    if (isBeforeVerification(statements, index)) continue;
    writing += 1;
    const [stored] = await ours.rows('webhook_events', 'status, body', `dedupe_key = '${event.dedupeKey}'`);
    expect(stored).toEqual({ status: 'failed', body: bytesOf(event) });
    // The event is delivered again, and this time it is applied.
    const again = await ours.post(event);
    expect([again.status, again.body['duplicate']]).toEqual([200, true]);
    expect(await ours.state()).not.toEqual(before);
  }
  expect(writing).toBeGreaterThan(30);
});

test('a provider that cannot be asked: 503 with Retry-After, audited, unchanged, and applied when it comes again', async () => {
  const event = await richEvent();
  const before = await ours.state();
  ours.provider.unreachable = true;
  const answer = await ours.post(event);
  ours.provider.unreachable = false;
  expect([answer.status, answer.body['code']]).toEqual([503, 'webhook_unverifiable']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await ours.state()).toEqual(before);
  const events = await ours.events('ERROR');
  expect(events[0]).toMatchObject({ source: 'provider_a', data: { failure: 'processing' } });
  expect((await ours.post(event)).status).toBe(200);
  expect(await ours.state()).not.toEqual(before);
});

test('a webhook whose key needs the provider’s state is no longer failed once it comes again and is processed', async () => {
  const there = await ours.another();
  const { reference } = await there.subscribe();
  const event = eventOf('subscription.changed', {
    references: [{ kind: 'subscription', reference }],
    occurredAt: null,
  });
  const unread = { kind: 'unknown', reason: 'a time-out' } as const;
  let key: Outcome<string> = unread;
  Object.assign(there.provider, { dedupeKeyNow: () => Promise.resolve(key) });
  const stored = () => there.rows('webhook_events', 'status', 'true ORDER BY received_at, id');
  expect((await there.post(event)).status).toBe(503);
  expect(await stored()).toEqual([{ status: 'failed' }]);
  key = { kind: 'done', value: 'with_state' };
  expect((await there.post(event)).status).toBe(200);
  expect(await stored()).toEqual([{ status: 'ignored' }, { status: 'applied' }]);
  // The same bytes may report another change that cannot be processed, which is stored again.
  key = unread;
  expect((await there.post(event)).status).toBe(503);
  key = { kind: 'done', value: 'with_state' };
  expect((await there.post(event)).body).toMatchObject({ duplicate: true });
  expect(await stored()).toEqual([{ status: 'ignored' }, { status: 'applied' }, { status: 'ignored' }]);
  Object.assign(there.provider, { dedupeKeyNow: undefined });
});

test('a webhook for which its workspace’s queue has no place is audited, too', async () => {
  const there = await ours.another();
  const log = createLogger('api', 'silent');
  const database = openDatabase(there.service.database.url('tollgate_app'), {
    max: 1,
    applicationName: 'test-queue',
    log,
  });
  const { clock } = there.service;
  const connection = {
    scope: { workspaceId: there.workspace.workspaceId, environment: 'sandbox' },
    id: there.connection,
    provider: 'provider_a',
  } as const;
  const secrets = { webhookSecret: there.secret };
  const access = { connectionId: connection.id, secretVersion: 1, secrets, settings: {} };
  const candidate = { connection, access: { ...access, apiMode: 'sandbox' as const } };
  const find = () => Promise.resolve({ by: 'name' as const, candidates: [candidate] });
  const receiver = {
    database,
    clock,
    adapters: { ...createTestAdapters(), provider_a: there.provider },
    candidates: { named: find, hinted: find },
    openConnection: () => Promise.resolve(candidate.access),
    rateLimit: createCandidateRateLimit(),
    refusalAudit: createRefusalAudit({ database, log }),
    queues: createWorkspaceQueues({ atOnce: 0, waiting: 0 }),
    limitedLog: createRateLimitedLog(log, clock),
  };
  const bytes = bytesOf(eventOf('ignored'));
  const delivery = {
    environment: 'sandbox' as const,
    provider: 'provider_a' as const,
    connectionId: connection.id,
    bytes,
    headers: {},
    rawHeaders: ['Stripe-Signature', signatureOf(there.secret, bytes)],
    ip: '::1',
    requestId: 'req_busy',
  };
  const answer = receiveWebhook(receiver, delivery, { release: () => undefined });
  await expect(answer).rejects.toMatchObject({ code: 'service_busy' });
  await database.destroy();
  expect(await there.rows('webhook_failures', 'kind, count')).toEqual([{ kind: 'processing', count: '1' }]);
  expect(await there.events('ERROR')).toMatchObject([{ data: { failure: 'processing' } }]);
});

test('signed bytes that are no event are a processing failure', async () => {
  const counted = await ours.attempts();
  const answer = await ours.post(null, { bytes: Buffer.from('{"half":') });
  expect([answer.status, answer.body['code']]).toEqual([500, 'webhook_processing_failed']);
  expect((await ours.attempts()).connection).toBe(counted.connection + 1);
});

test('a time that no calendar holds loses no event, and hides no failure', async () => {
  const there = await ours.another();
  for (const occurredAt of [9e15, -9e15, 8.64e15, -8.64e15, 253_402_300_800_000]) {
    const { status, body } = await there.post(eventOf('ignored', { occurredAt }));
    expect([occurredAt, status]).toEqual([occurredAt, 200]);
    const { body: shown } = await there.operator.get(`/api/webhooks/${String(body['eventId'])}`);
    expect([occurredAt, shown['occurredAt']]).toEqual([occurredAt, null]);
  }
  const { reference } = await there.subscribe();
  const payment = paymentOf('pi_never', { subscriptionReference: reference, occurredAt: 9e15 });
  there.provider.payments.set('pi_never', payment);
  const references = [{ kind: 'subscription' as const, reference }];
  const answer = await there.post(eventOf('payment.succeeded', { references, payment, occurredAt: 9e15 }));
  expect([answer.status, answer.body['code']]).toEqual([500, 'webhook_processing_failed']);
  expect((await there.attempts()).connection).toBe(1);
  expect(await there.rows('webhook_events', 'status', "status <> 'ignored'")).toEqual([{ status: 'failed' }]);
  expect(await there.rows('payments', 'id')).toEqual([]);
});

test('an impossible time of a refund is refused before it reaches Postgres', async () => {
  const there = await ours.another();
  const { reference } = await there.subscribe();
  const references = [{ kind: 'subscription' as const, reference }];
  const payment = paymentOf('pi_timed', { subscriptionReference: reference });
  there.provider.payments.set('pi_timed', payment);
  expect((await there.post(eventOf('payment.succeeded', { references, payment }))).status).toBe(200);
  const refund = refundOf('re_never', 'pi_timed', { createdAt: 9e15 });
  there.provider.refunds.set('re_never', refund);
  failing.arm(0);
  const answer = await there.post(eventOf('refund.changed', { references, refund }));
  expect([answer.status, answer.body['code']]).toEqual([500, 'webhook_processing_failed']);
  const sent = failing.statements.filter(
    (text) => text.includes('<= d.decided_at') || text.startsWith('insert into "tollgate"."refunds"'),
  );
  expect(sent).toEqual([]);
  expect(await there.rows('refunds', 'id')).toEqual([]);
});

test('a flood adds no more than some rows a minute, and every attempt is counted', async () => {
  const there = await ours.another();
  const event = eventOf('ignored');
  const attempts = 150;
  const answers = await Promise.all(
    Array.from({ length: attempts }, () => there.post(event, { secret: 'whsec_fake_wrong' })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  const { connection, rows } = await there.attempts();
  expect(connection).toBe(attempts);
  // Rows of one minute, or of two if the minute changed during the test.
  const minutes = await there.rows('webhook_failures', 'DISTINCT minute');
  expect(rows).toBeLessThanOrEqual(31 * minutes.length);
  expect(await there.events('ERROR')).toHaveLength(rows);
});

test('a kept webhook whose second delivery fails still waits for what it names', async () => {
  const { reference } = await ours.subscribe();
  const refund = refundOf('re_kept', 'pi_late');
  const event = eventOf('refund.changed', { refund });
  expect((await ours.post(event)).status).toBe(200);
  failing.arm(0);
  await ours.post(event);
  failing.arm(failing.statements.length - 1);
  expect((await ours.post(event)).status).toBeGreaterThanOrEqual(500);
  failing.arm(0);
  const payment = paymentOf('pi_late', { subscriptionReference: reference });
  ours.provider.payments.set('pi_late', payment);
  const references = [{ kind: 'subscription' as const, reference }];
  expect((await ours.post(eventOf('payment.succeeded', { references, payment }))).status).toBe(200);
  const kept = "payment_id IN (SELECT id FROM tollgate.payments WHERE reference = 'pi_late')";
  expect(await ours.rows('refunds', 'status', kept)).toEqual([{ status: 'succeeded' }]);
});
