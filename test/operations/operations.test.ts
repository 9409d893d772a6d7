import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { errorCatalogue, TollgateError } from '../../src/domain/errors';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { maintain } from '../../src/maintenance/maintain';
import type { CommandMessage } from '../../src/outbox/command-message';
import type { CommandSender } from '../../src/operations/command-sender';
import { createLogger } from '../../src/telemetry/logger';
import { submitCommand } from '../../src/operations/submit-command';
import { systemClock } from '../../src/clock/system-clock';
import { createCustomer, createFeature, createPlan, idOf, subscribe } from '../catalog/offer';
import { command, historyOf } from '../support/billing';
import { createDirectCommands } from '../support/direct-commands';
import { Integrator } from '../support/integrator';
import { untilLockWaits } from '../support/lock-waits';
import { logIn, type OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { createKey } from '../support/workspace';
import { useService } from '../support/use-service';

const away = (): never => {
  throw new TollgateError('temporal_unavailable', 'Away.', { retryAfter: 5 });
};

/** Switchable delivery of commands to the workflows: simulates a Temporal that is unavailable or hangs. */
let deliver: (command: CommandMessage, direct: CommandSender) => ReturnType<CommandSender['send']>;
const sent: CommandMessage[] = [];
const service = useService({
  commands: (direct) => ({
    send: async (one) => {
      sent.push(one);
      return deliver(one, direct);
    },
  }),
});
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});
beforeEach(() => {
  sent.length = 0;
  deliver = (one, direct) => direct.send(one);
});

async function open(): Promise<string> {
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client, { pricing: 'per_seat' });
  return idOf(await subscribe(client, { externalId, planId, seats: 2 }));
}
const statusOf = async (id: string) => (await client.get(`/api/billing/subscriptions/${id}`)).body['status'];
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['code'],
];

test('only ids are sent: neither the body nor who sent it', async () => {
  const id = await open();
  await command(client, id, 'change', { body: { seats: 5 } });
  const { workspaceId } = client;
  expect(sent).toEqual([
    {
      scope: { workspaceId, environment: 'sandbox' },
      target: { kind: 'subscription', id },
      operationId: expect.stringMatching(/^op_/) as unknown,
      updateId: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    },
  ]);
});

test('with Temporal away a command is refused, and the same key does it once Temporal is back', async () => {
  const [id, key] = [await open(), randomUUID()];
  deliver = away;
  const refused = await command(client, id, 'cancel', { key });
  expect(codeOf(refused)).toEqual([503, 'temporal_unavailable']);
  expect(refused.headers.get('Retry-After')).toBe('5');
  expect(await statusOf(id)).toBe('active');

  deliver = (one, direct) => direct.send(one);
  const done = await command(client, id, 'cancel', { key });
  expect([done.status, done.headers.get('Idempotency-Replayed')]).toEqual([200, null]);
  // A new attempt: Temporal's result of the first one does not answer it.
  expect(new Set(sent.map(({ updateId }) => updateId)).size).toBe(2);
});

test('a finished command is replayed while Temporal is down, and its key is not accepted for another', async () => {
  const [id, key] = [await open(), randomUUID()];
  const done = await command(client, id, 'change', { key, body: { seats: 3 } });
  deliver = away;
  const replayed = await command(client, id, 'change', { key, body: { seats: 3 } });
  expect([replayed.status, replayed.headers.get('Idempotency-Replayed')]).toEqual([200, 'true']);
  expect(replayed.body).toEqual(done.body);
  expect(codeOf(await command(client, id, 'change', { key, body: { seats: 4 } }))).toEqual([
    422,
    'idempotency_key_reused',
  ]);
});

test('a key that waits for its command belongs to it', async () => {
  const [id, key] = [await open(), randomUUID()];
  deliver = away;
  await command(client, id, 'change', { key, body: { seats: 3 } });
  deliver = (one, direct) => direct.send(one);
  expect(codeOf(await command(client, id, 'cancel', { key }))).toEqual([422, 'idempotency_key_reused']);
  expect(await statusOf(id)).toBe('active');
});

test('a key whose command is under way is refused to what needs no command, and still does its own', async () => {
  const [id, key] = [await open(), randomUUID()];
  deliver = () => Promise.resolve('pending');
  expect((await command(client, id, 'cancel', { key })).status).toBe(202);
  const { externalId } = await createCustomer(client);
  const body = { externalId, amount: { amount: '500', currency: 'USD' }, description: 'Set-up' };
  const checkout = await client.post('/api/billing/checkouts', { body, headers: { 'Idempotency-Key': key } });
  expect(codeOf(checkout)).toEqual([422, 'idempotency_key_reused']);

  deliver = (one, direct) => direct.send(one);
  expect((await command(client, id, 'cancel', { key })).status).toBe(200);
  expect(await statusOf(id)).toBe('cancelled');
});

test('a key whose command is under way is refused to track, and counts nothing', async () => {
  const [id, key] = [await open(), randomUUID()];
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client);
  const feature = await createFeature(client);
  await client.post(`/api/plans/${planId}/entitlements`, { body: { featureKey: feature, quota: 10 } });
  await subscribe(client, { externalId, planId });
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  const usageKey = await createKey(service.database, scope, ['usage']);
  const integrator = new Integrator(service.urls.sandbox, usageKey);

  deliver = () => Promise.resolve('pending');
  expect((await command(client, id, 'cancel', { key })).status).toBe(202);
  expect(codeOf(await integrator.track(externalId, feature, 4, key))).toEqual([
    422,
    'idempotency_key_reused',
  ]);
  expect((await integrator.check(externalId, feature)).body['usage']).toBe(0);
  // Nor has the use taken the command's key.
  deliver = (one, direct) => direct.send(one);
  expect((await command(client, id, 'cancel', { key })).status).toBe(200);
  expect(codeOf(await integrator.track(externalId, feature, 4, key))).toEqual([
    422,
    'idempotency_key_reused',
  ]);
});

/** Returns a function that submits refunds of one key in this process: `verify` accepts it, and `send` sends it to its workflow. */
function refundSubmitter(
  key: string,
  { verify, send }: { verify: () => Promise<void>; send: CommandSender['send'] },
) {
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  const database = service.open('tollgate_app', 2);
  const now = Date.now();
  const actor = { scope, reason: 'SYSTEM', now, receivedAt: now, requestId: 'req_1' } as const;
  const who = { ...actor, operatorId: null, apiKeyId: null, ip: null };
  const about = { kind: 'refund', subscriptionId: null, targetId: 'pay_1', input: {}, verify } as const;
  const claim = { key, fingerprint: Buffer.from('of this request') };
  const options = { database, clock: systemClock, commands: { send } };
  return () => submitCommand(options, who, about, claim);
}

test('a key that is taken while its command is judged is refused, and nothing is done', async () => {
  const key = randomUUID();
  const submit = refundSubmitter(key, {
    send: () => Promise.reject(new Error('It was sent.')),
    verify: async () => {
      await service.database.query(
        `INSERT INTO tollgate.idempotency_answers (workspace_id, environment, idempotency_key, fingerprint, status, body, created_at)
         VALUES ($1, 'sandbox', $2, 'of another request', 201, '{}', now())`,
        [client.workspaceId, key],
      );
    },
  });
  await expect(submit()).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

test('a refused command that a concurrent request has sent again, and that was refused again, stays refused', async () => {
  const key = randomUUID();
  const updateIds: string[] = [];
  const submit = refundSubmitter(key, {
    verify: () => Promise.resolve(),
    send: ({ updateId }) => {
      updateIds.push(updateId);
      return Promise.reject(new TollgateError('refund_exceeds_payment', 'Refused.'));
    },
  });
  const refuse = `UPDATE tollgate.operations SET status = 'refused', attempts = $2, finished_at = now(), problem = '{}'
                   WHERE idempotency_key = $1`;
  const other = new Client({ connectionString: service.database.adminUrl });
  await other.connect();
  try {
    await expect(submit()).rejects.toMatchObject({ code: 'refund_exceeds_payment' });
    await other.query(refuse, [key, 1]);
    await other.query('BEGIN');
    await other.query(refuse, [key, 2]);
    const again = expect(submit()).rejects.toMatchObject({ code: 'refund_exceeds_payment' });
    await untilLockWaits(service.database);
    await other.query('COMMIT');
    await again;
    // The caller got the refusal of the second attempt, so a third one would be run for nobody.
    expect(new Set(updateIds).size).toBe(2);
    const { rows } = await other.query(
      'SELECT status, attempts FROM tollgate.operations WHERE idempotency_key = $1',
      [key],
    );
    expect(rows).toEqual([{ status: 'refused', attempts: 2 }]);
  } finally {
    await other.end();
  }
});

test('a command that takes too long is answered 202, can be looked up, and the same key gets its answer', async () => {
  const [id, key] = [await open(), randomUUID()];
  let finish: () => Promise<unknown> = () => Promise.resolve();
  deliver = (one, direct) => {
    finish = () => direct.send(one);
    return Promise.resolve('pending');
  };
  const accepted = await command(client, id, 'cancel', { key });
  expect(accepted.status).toBe(202);
  expect(accepted.body).toMatchObject({
    kind: 'cancel',
    subscriptionId: id,
    targetId: id,
    status: 'accepted',
    problem: null,
    answer: null,
    finishedAt: null,
  });
  const location = accepted.headers.get('Location') ?? '';
  expect(location).toBe(`/api/billing/operations/${String(accepted.body['id'])}`);
  expect((await client.get(location)).body).toEqual(accepted.body);

  await finish();
  const replayed = await command(client, id, 'cancel', { key });
  expect(replayed.body).toMatchObject({ subscription: { status: 'cancelled' } });
  const looked = await client.get(location);
  expect(looked.body).toMatchObject({ status: 'succeeded', answer: { status: 200, body: replayed.body } });
});

test('an operation keeps its refusal until its key is sent again', async () => {
  const [id, key] = [await open(), randomUUID()];
  let operationId = '';
  deliver = (one, direct) => {
    ({ operationId } = one);
    return direct.send(one);
  };
  const refused = await command(client, id, 'reactivate', { key });
  expect(codeOf(refused)).toEqual([422, 'capability_unsupported']);
  const path = `/api/billing/operations/${operationId}`;
  const { body: operation } = await client.get(path);
  expect(operation).toMatchObject({
    status: 'refused',
    answer: null,
    problem: { code: 'capability_unsupported', capability: { name: 'reactivate' } },
  });
  // It says what the answer said.
  const { type, requestId } = refused.body;
  expect({ ...(operation['problem'] as object), type, requestId }).toEqual(refused.body);
  // An earlier version may have stored a code that no longer exists.
  await service.database.query(
    `UPDATE tollgate.operations SET problem = jsonb_set(problem, '{code}', '"retired"') WHERE id = '${operationId}'`,
  );
  const { title, status, fix } = errorCatalogue.provider_refused;
  expect((await client.get(path)).body).toMatchObject({
    problem: { code: 'provider_refused', title, status, fix, detail: refused.body['detail'] },
  });
  deliver = away;
  await command(client, id, 'reactivate', { key });
  expect((await client.get(path)).body).toMatchObject({ status: 'abandoned', problem: null });
});

test('delivered ten times, by several workers at once, it is done once', async () => {
  const id = await open();
  deliver = async (one, direct) => {
    const database = service.open('tollgate_worker', 5);
    const workers = [
      direct,
      ...Array.from({ length: 4 }, () => createDirectCommands({ database, clock: service.clock })),
    ];
    await Promise.all([...workers, ...workers].map((worker) => worker.send(one)));
    return 'applied';
  };
  const { status, body } = await command(client, id, 'change', { body: { seats: 7 } });
  expect([status, (body['subscription'] as { version: number }).version]).toEqual([200, 2]);
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});

test('a crash before the commit leaves nothing; the next delivery does it', async () => {
  const [id, key] = [await open(), randomUUID()];
  await service.database.query(
    `CREATE FUNCTION public.crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'crash'; END $$`,
  );
  await service.database.query(
    `CREATE TRIGGER crash BEFORE INSERT ON tollgate.idempotency_answers EXECUTE FUNCTION public.crash()`,
  );
  const crashed = await command(client, id, 'change', { key, body: { seats: 7 } });
  await service.database.query('DROP TRIGGER crash ON tollgate.idempotency_answers');
  expect(crashed.status).toBe(500);
  expect(await historyOf(client, id)).toEqual(['created']);
  const path = `/api/billing/operations/${sent[0]?.operationId ?? ''}`;
  expect((await client.get(path)).body).toMatchObject({ status: 'abandoned', problem: null });

  expect((await command(client, id, 'change', { key, body: { seats: 7 } })).status).toBe(200);
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});

describe('Postgres fails while it stores a command', () => {
  const storing = async (failure: string, work: () => Promise<void>): Promise<void> => {
    await service.database.query(
      `CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${failure}; RETURN NEW; END $$`,
    );
    await service.database.query(
      'CREATE TRIGGER fail BEFORE INSERT ON tollgate.operations FOR EACH ROW EXECUTE FUNCTION public.fail()',
    );
    try {
      await work();
    } finally {
      await service.database.query('DROP FUNCTION public.fail CASCADE');
    }
  };

  test.each([
    [
      'its disk is full',
      "RAISE 'No space left on device' USING ERRCODE = '53100'",
      503,
      'service_unavailable',
    ],
    ['it accepts no writes', "RAISE 'read-only' USING ERRCODE = '25006'", 503, 'service_unavailable'],
    ['the connection is lost', 'PERFORM pg_terminate_backend(pg_backend_pid())', 500, 'internal_error'],
  ])('%s: the same key does it afterwards', async (_, failure, status, code) => {
    const [id, key] = [await open(), randomUUID()];
    await storing(failure, async () => {
      const failed = await command(client, id, 'change', { key, body: { seats: 7 } });
      expect(codeOf(failed)).toEqual([status, code]);
    });
    // The pool may not have noticed yet that its connection is lost.
    await until(
      async () => (await command(client, id, 'change', { key, body: { seats: 7 } })).status === 200,
    );
    expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
  });
});

test('a cancelled checkout is abandoned, and one whose deadline has passed can no longer be cancelled', async () => {
  const checkOut = async () => {
    const { externalId } = await createCustomer(client);
    const body = { externalId, planId: await createPlan(client), expiresInMinutes: 60 };
    const answer = await client.post('/api/billing/checkouts', {
      body,
      headers: { 'Idempotency-Key': randomUUID() },
    });
    return { checkout: idOf(answer), subscription: String(answer.body['subscriptionId']) };
  };
  const abandoned = await checkOut();
  const { body } = await command(client, abandoned.subscription, 'cancel');
  expect(body).toMatchObject({ subscription: { status: 'cancelled', incompleteUntil: null } });
  const { body: checkout } = await client.get(`/api/billing/checkouts/${abandoned.checkout}`);
  expect(checkout).toMatchObject({ status: 'expired', transaction: { status: 'void' } });

  const late = await checkOut();
  service.clock.ahead = 2 * HOUR_MS;
  try {
    expect(codeOf(await command(client, late.subscription, 'cancel'))).toEqual([
      409,
      'capability_unavailable',
    ]);
  } finally {
    service.clock.ahead = 0;
  }
});

test('another workspace, and the other environment, see nothing of it', async () => {
  const id = await open();
  await command(client, id, 'cancel');
  const path = `/api/billing/operations/${sent[0]?.operationId ?? ''}`;
  expect((await client.get(path)).status).toBe(200);
  expect(codeOf(await client.get(path, { env: 'production' }))).toEqual([404, 'operation_not_found']);
  const stranger = await logIn(service, { role: 'owner' });
  expect(codeOf(await stranger.get(path))).toEqual([404, 'operation_not_found']);
});

/** Runs maintenance as it would in some days. */
async function maintainIn(days: number): Promise<void> {
  const log = createLogger('test', 'silent');
  const database = service.open('tollgate_worker', 1);
  const migratorUrl = service.database.url('tollgate_migrator');
  await maintain(
    { database, migratorUrl, retentionDays: 90, platformAuditDays: 365, log },
    Date.now() + days * DAY_MS,
  );
}

test('one that ends late is kept for thirty days from its end, with its answer', async () => {
  const [id, key] = [await open(), randomUUID()];
  deliver = () => Promise.resolve('pending');
  expect((await command(client, id, 'cancel', { key })).status).toBe(202);
  const operationId = sent[0]?.operationId ?? '';
  await service.database.query('UPDATE tollgate.operations SET created_at = $2 WHERE id = $1', [
    operationId,
    new Date(Date.now() - 40 * DAY_MS),
  ]);
  await maintainIn(0);
  deliver = (one, direct) => direct.send(one);
  expect((await command(client, id, 'cancel', { key })).status).toBe(200);
  await maintainIn(29);
  const { status, body } = await client.get(`/api/billing/operations/${operationId}`);
  expect([status, body['status']]).toEqual([200, 'succeeded']);
  await maintainIn(31);
  expect(codeOf(await client.get(`/api/billing/operations/${operationId}`))).toEqual([
    404,
    'operation_not_found',
  ]);
});

test('once it is finished it is kept for thirty days, with its answer', async () => {
  const id = await open();
  await command(client, id, 'cancel');
  const path = `/api/billing/operations/${sent[0]?.operationId ?? ''}`;
  const sequences = () =>
    service.database.query("SELECT FROM tollgate.webhook_sequences WHERE resource_kind = 'operation'");
  await maintainIn(29);
  expect((await client.get(path)).status).toBe(200);
  expect(await sequences()).not.toEqual([]);
  await maintainIn(31);
  const left = await service.database.query(
    "SELECT (SELECT count(*) FROM tollgate.operations WHERE status <> 'pending')::int AS operations, (SELECT count(*) FROM tollgate.idempotency_answers)::int AS answers",
  );
  expect(left).toEqual([{ operations: 0, answers: 0 }]);
  const kept = await service.database.query(
    `SELECT FROM tollgate.webhook_sequences s WHERE resource_kind = 'operation'
        AND NOT EXISTS (SELECT FROM tollgate.operations o WHERE o.id = s.resource_id)`,
  );
  expect(kept).toEqual([]);
});
