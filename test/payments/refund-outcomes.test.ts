import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';
import type { Database } from '../../src/db/pools';
import { TollgateError } from '../../src/domain/errors';
import { OperationAbandonedError } from '../../src/operations/abandonment-errors';
import type { CommandMessage } from '../../src/outbox/command-message';
import type { CommandSender } from '../../src/operations/command-sender';
import type { RefundOutcome } from '../../src/payments/refund-outcome';
import { QUIET_MS } from '../../src/payments/request-refund';
import { createRefundSteps, type RefundSteps } from '../../src/payments/refund-steps';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { idOf } from '../catalog/offer';
import { dataOf } from '../support/billing';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';
import { eventsOf, owing, pay, read, refund, usd } from './money';

/** The steps of a refund, with a provider that answers as a test wants. */
let client: OperatorClient;
let worker: Database;
let steps: RefundSteps;
let scope: WorkspaceScope;

/** The provider's answers, in order, and the refunds it was asked for. */
let script: RefundOutcome[] = [];
let sent: string[] = [];
/** Where the connection to Temporal fails. */
let breaks: 'never' | 'at_once' | 'once_reserved' = 'never';

/** Runs the steps as the refund's workflow does. */
async function run({ target, operationId }: CommandMessage): Promise<'applied' | 'pending'> {
  if (breaks === 'at_once') throw new TollgateError('temporal_unavailable', 'Away.');
  const reserved = await steps.reserve(scope, target.id, operationId);
  if (breaks === 'once_reserved') throw new TollgateError('temporal_unavailable', 'Away.');
  if (reserved.kind === 'answered') return 'applied';
  await ask(target.id, operationId);
  return (await steps.read(scope, target.id))?.status === 'pending' ? 'pending' : 'applied';
}

async function ask(refundId: string, operationId: string | null): Promise<void> {
  const view = await steps.read(scope, refundId);
  if (view === undefined) throw new Error('There is no such refund.');
  sent.push(view.refundId);
  await steps.complete(scope, refundId, script.shift() ?? { kind: 'unknown' }, operationId);
}

const commands: CommandSender = { send: run };

const service = useService({ commands: () => commands });
beforeAll(async () => {
  client = await logIn(service, { role: 'admin' });
  scope = { workspaceId: client.workspaceId, environment: 'sandbox' };
  worker = service.open('tollgate_worker', 12);
  steps = createRefundSteps({ database: worker, clock: service.clock });
});
beforeEach(() => {
  script = [];
  sent = [];
  breaks = 'never';
});

async function paid(): Promise<{ paymentId: string; subscriptionId: string }> {
  const { transactionId, subscriptionId } = await owing(client);
  return { paymentId: idOf(await pay(client, transactionId, '2900')), subscriptionId };
}

/** Returns the only refund of a payment. */
async function refundOf(paymentId: string): Promise<Record<string, unknown>> {
  const refunds = dataOf(await client.get('/api/billing/refunds', { query: { paymentId } }));
  expect(refunds).toHaveLength(1);
  return refunds[0] ?? {};
}

const operationOf = async (answer: ConsoleAnswer) =>
  (await client.get(answer.headers.get('location') ?? '')).body;

test('a refund that the provider declines is answered as failed, and frees what it reserved', async () => {
  const { paymentId } = await paid();
  script = [{ kind: 'declined', reason: 'The card is closed.' }, { kind: 'done' }];
  const key = randomUUID();
  const failed = await refund(client, paymentId, undefined, {}, key);
  expect(failed.status).toBe(201);
  expect(failed.body).toMatchObject({ status: 'failed', failure: 'The card is closed.', waitingFor: null });
  expect(await read(client, 'payments', paymentId)).toMatchObject({ refundableAmount: usd('2900') });
  expect((await eventsOf(client, 'REFUND_RECORDED'))[0]).toMatchObject({
    status: 'ERROR',
    message: expect.stringMatching(/ failed: The card is closed\.$/) as string,
  });
  const replayed = await refund(client, paymentId, undefined, {}, key);
  expect(replayed.body).toEqual(failed.body);
  const another = await refund(client, paymentId);
  expect(another.body).toMatchObject({ status: 'succeeded', amount: usd('2900') });
  expect(new Set(sent).size).toBe(2);
});

test.each(['unknown', 'pending'] as const)(
  'an outcome that is %s keeps the reservation, and is asked for again until it is known',
  async (kind) => {
    const { paymentId } = await paid();
    script = [{ kind }, { kind }, { kind: 'done' }];
    const key = randomUUID();
    const first = await refund(client, paymentId, '2000', {}, key);
    expect(first.status).toBe(202);
    expect(await operationOf(first)).toMatchObject({
      kind: 'refund',
      status: 'accepted',
      targetId: paymentId,
    });
    const reserved = await refundOf(paymentId);
    expect(reserved).toMatchObject({ status: 'pending', completedAt: null, failure: null });
    expect(reserved['waitingFor']).toEqual(expect.any(String));
    expect(await read(client, 'payments', paymentId)).toMatchObject({ refundableAmount: usd('900') });
    const above = await refund(client, paymentId, '901');
    expect(above.body['code']).toBe('refund_exceeds_payment');

    const retry = await refund(client, paymentId, '2000', {}, key);
    expect(retry.status).toBe(202);
    // Woken by a timer, with no caller waiting.
    await ask(String(reserved['id']), null);
    expect(await refundOf(paymentId)).toMatchObject({ status: 'succeeded', waitingFor: null });
    expect(await operationOf(first)).toMatchObject({
      status: 'succeeded',
      answer: { status: 201, body: { id: reserved['id'], status: 'succeeded' } },
    });
    const last = await refund(client, paymentId, '2000', {}, key);
    expect([last.status, last.body['id'], last.body['status']]).toEqual([201, reserved['id'], 'succeeded']);
    expect(sent).toHaveLength(3);
    expect(new Set(sent)).toEqual(new Set([reserved['id']]));
    const recorded = (await eventsOf(client, 'REFUND_RECORDED')).filter(
      (event) => (event['data'] as { paymentId: string }).paymentId === paymentId,
    );
    expect(recorded.map((event) => event['status'])).toEqual(['OK', 'PENDING']);
  },
);

test('a refund that waits for the customer’s details keeps the time at which its provider may be asked again', async () => {
  const { paymentId } = await paid();
  script = [{ kind: 'pending', needs: 'details' }, { kind: 'unknown' }];
  await refund(client, paymentId);
  const { id, waitingFor } = await refundOf(paymentId);
  const wakesAt = async () => {
    const [row] = await service.database.query<{ at: number }>(
      'SELECT next_wake_at AS at FROM tollgate.refunds WHERE id = $1',
      [id],
    );
    return row?.at;
  };
  // Set when the request is sent again, which may still arrive at provider C until then.
  const quietUntil = service.clock.now() + QUIET_MS.provider_c;
  await service.database.query('UPDATE tollgate.refunds SET next_wake_at = $2 WHERE id = $1', [
    id,
    new Date(quietUntil),
  ]);
  await ask(String(id), null);
  expect(await wakesAt()).toBe(quietUntil);
  expect(await refundOf(paymentId)).toMatchObject({ status: 'pending', waitingFor });
});

test('an open refund wakes by real time until it has ended', async () => {
  const { paymentId } = await paid();
  script = [{ kind: 'unknown' }, { kind: 'done' }];
  await refund(client, paymentId);
  const refundId = String((await refundOf(paymentId))['id']);
  const overdue = async () => {
    const inAnHour = new Date(service.clock.now() + HOUR_MS);
    const rows = await service.database.query<{ id: string }>(
      'SELECT id FROM tollgate.find_overdue_refunds($1, 100)',
      [inAnHour],
    );
    return rows.map((row) => row.id).includes(refundId);
  };
  expect(await overdue()).toBe(true);
  await ask(refundId, null);
  expect(await overdue()).toBe(false);
});

test('an ended refund is unchanged, whatever is reported later', async () => {
  const { paymentId, subscriptionId } = await paid();
  script = [{ kind: 'done' }];
  const requested = await refund(client, paymentId);
  const refundId = idOf(requested);
  for (const outcome of [
    { kind: 'unknown' },
    { kind: 'declined', reason: 'No.' },
    { kind: 'done' },
  ] as const) {
    await steps.complete(scope, refundId, outcome, null);
  }
  expect(await read(client, 'refunds', refundId)).toEqual(requested.body);
  const history = await client.get(`/api/billing/subscriptions/${subscriptionId}/timeline`);
  expect(dataOf(history).map((entry) => entry['kind'])).toEqual([
    'refund_succeeded',
    'payment_recorded',
    'created',
  ]);
});

test('steps that are taken several times at once reserve, refund and answer once', async () => {
  const { paymentId } = await paid();
  script = [{ kind: 'unknown' }];
  const key = randomUUID();
  const first = await refund(client, paymentId, '1500', {}, key);
  const operationId = String(first.body['id']);
  const refundId = String((await refundOf(paymentId))['id']);
  const ten = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: 10 }, work));
  const reserved = await ten(() => steps.reserve(scope, refundId, operationId));
  expect(new Set(reserved.map((one) => one.kind))).toEqual(new Set(['reserved']));
  await ten(() => steps.complete(scope, refundId, { kind: 'done' }, operationId));
  expect(await read(client, 'payments', paymentId)).toMatchObject({ refundedAmount: usd('1500') });
  expect(await steps.reserve(scope, refundId, operationId)).toEqual({ kind: 'answered' });
  const recorded = (await eventsOf(client, 'REFUND_RECORDED')).filter(
    (event) => (event['data'] as { refundId: string }).refundId === refundId,
  );
  expect(recorded.map((event) => event['status'])).toEqual(['OK', 'PENDING']);
});

test('a key that another request has taken meanwhile does not undo what the provider has done', async () => {
  const { paymentId } = await paid();
  script = [{ kind: 'unknown' }];
  const key = randomUUID();
  await refund(client, paymentId, undefined, {}, key);
  await service.database.query(
    `INSERT INTO tollgate.idempotency_answers
       (workspace_id, environment, idempotency_key, fingerprint, status, body, created_at)
     VALUES ($1, 'sandbox', $2, '\\x00', 200, '{}', now())`,
    [client.workspaceId, key],
  );
  const refundId = String((await refundOf(paymentId))['id']);
  await steps.complete(scope, refundId, { kind: 'done' }, null);
  expect(await refundOf(paymentId)).toMatchObject({ status: 'succeeded' });
});

test('a refusal is noted on its operation, and reserves nothing', async () => {
  const { paymentId } = await paid();
  const key = randomUUID();
  const refused = await refund(client, paymentId, '2901', {}, key);
  expect([refused.status, refused.body['code']]).toEqual([409, 'refund_exceeds_payment']);
  const [operation] = await service.database.query(
    "SELECT status, problem->>'code' AS code FROM tollgate.operations WHERE idempotency_key = $1",
    [key],
  );
  expect(operation).toEqual({ status: 'refused', code: 'refund_exceeds_payment' });
  expect(sent).toEqual([]);
  expect(dataOf(await client.get('/api/billing/refunds', { query: { paymentId } }))).toEqual([]);
});

test('a refusal stays, even if the refused step is repeated when it would succeed; its key begins a new attempt', async () => {
  const { paymentId } = await paid();
  script = [{ kind: 'unknown' }, { kind: 'done' }];
  await refund(client, paymentId, '2000');
  const reserved = String((await refundOf(paymentId))['id']);
  const key = randomUUID();
  const refused = await refund(client, paymentId, '1500', {}, key);
  expect([refused.status, refused.body['code']]).toEqual([409, 'refund_exceeds_payment']);
  await steps.complete(scope, reserved, { kind: 'declined', reason: 'No.' }, null);
  const [row] = await service.database.query<{ id: string }>(
    'SELECT id FROM tollgate.operations WHERE idempotency_key = $1',
    [key],
  );
  const operationId = row?.id ?? '';
  const repeated = steps.reserve(scope, operationId.replace('op_', 'ref_'), operationId);
  await expect(repeated).rejects.toMatchObject({
    code: 'refund_exceeds_payment',
    detail: refused.body['detail'],
  });
  expect(await refundOf(paymentId)).toMatchObject({ id: reserved });
  expect(await refund(client, paymentId, '1500', {}, key)).toMatchObject({
    status: 201,
    body: { status: 'succeeded' },
  });
});

test('a workflow gets the ids and states of a refund, and no amount', async () => {
  const { paymentId } = await paid();
  script = [{ kind: 'unknown' }];
  await refund(client, paymentId, '100', { reason: 'Anna asked for it' });
  const view = await steps.read(scope, String((await refundOf(paymentId))['id']));
  expect(JSON.parse(JSON.stringify(view))).toEqual(view);
  expect(Object.keys(view ?? {}).sort()).toEqual([
    'nextWakeAt',
    'paymentId',
    'provider',
    'refundId',
    'status',
  ]);
});

test('a refund that was answered 503 reserves nothing if it arrives later; its key begins a new attempt', async () => {
  const { paymentId } = await paid();
  const key = randomUUID();
  breaks = 'at_once';
  const refused = await refund(client, paymentId, '2000', {}, key);
  expect([refused.status, refused.body['code']]).toEqual([503, 'temporal_unavailable']);
  breaks = 'never';
  const [row] = await service.database.query<{ id: string; status: string }>(
    'SELECT id, status FROM tollgate.operations WHERE idempotency_key = $1',
    [key],
  );
  expect(row?.status).toBe('abandoned');
  const operationId = row?.id ?? '';
  await expect(steps.reserve(scope, operationId.replace('op_', 'ref_'), operationId)).rejects.toThrow(
    OperationAbandonedError,
  );
  expect(await read(client, 'payments', paymentId)).toMatchObject({ refundableAmount: usd('2900') });
  script = [{ kind: 'done' }];
  expect(await refund(client, paymentId, '2000', {}, key)).toMatchObject({
    status: 201,
    body: { status: 'succeeded' },
  });
});

test('a refund whose amount is reserved is not abandoned: 202 with a job, and never 503', async () => {
  const { paymentId } = await paid();
  const key = randomUUID();
  breaks = 'once_reserved';
  const accepted = await refund(client, paymentId, '2000', {}, key);
  expect(accepted).toMatchObject({ status: 202, body: { status: 'accepted', kind: 'refund' } });
  const jobs = await service.database.query('SELECT FROM graphile_worker._private_jobs WHERE key = $1', [
    `operation/sandbox/${String(accepted.body['id'])}`,
  ]);
  expect(jobs).toHaveLength(1);
  breaks = 'never';
  script = [{ kind: 'done' }];
  expect(await refund(client, paymentId, '2000', {}, key)).toMatchObject({ status: 201 });
});
