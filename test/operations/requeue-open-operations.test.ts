import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Database } from '../../src/db/pools';
import { TollgateError } from '../../src/domain/errors';
import type { CommandMessage } from '../../src/outbox/command-message';
import type { CommandSender } from '../../src/operations/command-sender';
import { findUnsentOperations } from '../../src/operations/operation-state-store';
import { requeueOpenOperations } from '../../src/operations/requeue-open-operations';
import { OperationAbandonedError } from '../../src/operations/abandonment-errors';
import { createLogger } from '../../src/telemetry/logger';
import { verifyAll } from '../../src/verification/verify';
import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { command, historyOf } from '../support/billing';
import { untilLockWaits } from '../support/lock-waits';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { until } from '../support/until';

/**
 * Promises to callers are kept. For a 202, a job sends the command until it has ended; for a 503, the operation is
 * given up before the answer is sent.
 */
type Deliver = (command: CommandMessage, direct: CommandSender) => ReturnType<CommandSender['send']>;
const away: Deliver = () => {
  throw new TollgateError('temporal_unavailable', 'Away.', { retryAfter: 5 });
};
const hangs: Deliver = () => Promise.resolve('pending');
const works: Deliver = (one, direct) => direct.send(one);

let deliver: Deliver;
let service: TestService;
let client: OperatorClient;
let worker: Database;
const sent: CommandMessage[] = [];
const log = createLogger('test', 'silent');

beforeAll(async () => {
  service = await startTestService({
    commands: (direct) => ({
      send: async (one) => {
        sent.push(one);
        return deliver(one, direct);
      },
    }),
  });
  client = await logIn(service, { role: 'admin' });
  worker = service.open('tollgate_worker', 2);
});
beforeEach(async () => {
  sent.length = 0;
  deliver = works;
  await forget();
});
afterAll(async () => {
  await forget();
  await service.stop();
});

/** Deletes the operations that a test left open, with their jobs. */
async function forget(): Promise<void> {
  await service.database.query('DELETE FROM graphile_worker._private_jobs');
  await service.database.query("DELETE FROM tollgate.operations WHERE status IN ('pending', 'accepted')");
}

async function open(): Promise<string> {
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client, { pricing: 'per_seat' });
  return idOf(await subscribe(client, { externalId, planId, seats: 2 }));
}

/** Returns a function that sends a change of seats; each call repeats it with the same key. */
function changing(subscriptionId: string): () => Promise<ConsoleAnswer> {
  const key = randomUUID();
  return () => command(client, subscriptionId, 'change', { key, body: { seats: 7 } });
}

const operation = async (): Promise<Record<string, unknown>> =>
  (await client.get(`/api/billing/operations/${sent[0]?.operationId ?? ''}`)).body;

const jobs = () =>
  service.database.query<{ payload: CommandMessage & { workspaceId: string }; attempts: number }>(
    "SELECT payload, attempts FROM graphile_worker._private_jobs WHERE key LIKE 'operation/%' ORDER BY id",
  );

/** Sends the command of the job left by a 202, as a relay does. */
async function relay(): Promise<void> {
  const [job] = await jobs();
  if (job === undefined) throw new Error('There is no job.');
  const { workspaceId, target, operationId, updateId } = job.payload;
  const scope = { workspaceId, environment: 'sandbox' } as const;
  await service.direct.send({ scope, target, operationId, updateId });
}

const keep = (): Promise<number> => requeueOpenOperations(worker, Date.now(), log);

/** Returns the verifier's findings. */
async function found(): Promise<string[]> {
  const all: string[] = [];
  for await (const { examples } of verifyAll(worker)) all.push(...examples);
  return all;
}

async function age(): Promise<void> {
  const id = sent[0]?.operationId;
  const at = new Date(Date.now() - 120_000);
  await service.database.query('UPDATE tollgate.operations SET created_at = $2 WHERE id = $1', [id, at]);
}

test('a 202 leaves a job that sends the same command, and it ends by that', async () => {
  const id = await open();
  const change = changing(id);
  deliver = hangs;
  expect(await change()).toMatchObject({ status: 202, body: { status: 'accepted' } });
  const [first] = sent;
  expect((await jobs()).map(({ payload }) => payload)).toEqual([
    {
      workspaceId: client.workspaceId,
      environment: 'sandbox',
      target: { kind: 'subscription', id },
      operationId: first?.operationId,
      updateId: first?.updateId,
    },
  ]);
  // A request with the same key waits for it, and adds no second job.
  expect((await change()).status).toBe(202);
  expect(await jobs()).toHaveLength(1);

  await relay();
  expect(await operation()).toMatchObject({ status: 'succeeded' });
  const answer = await change();
  expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});

test('a command answered 202 is carried out in its sender’s name, although the sender was removed since', async () => {
  const id = await open();
  const { workspaceId } = client;
  const sender = await logIn(service, { role: 'developer', workspaceId });
  deliver = hangs;
  const change = () => command(sender, id, 'change', { key: 'of-a-removed-sender', body: { seats: 7 } });
  expect((await change()).status).toBe(202);
  const removed = await client.delete(`/api/organizations/${workspaceId}/members/${sender.operatorId}`, {
    env: null,
  });
  expect(removed.status).toBe(200);
  expect((await change()).status).toBe(401);

  await relay();
  expect(await operation()).toMatchObject({ status: 'succeeded' });
  const audit = await service.database.query(
    'SELECT operator_id, action FROM tollgate.audit_records WHERE workspace_id = $1 AND target = $2 ORDER BY id',
    [workspaceId, id],
  );
  expect(audit).toEqual([
    { operator_id: client.operatorId, action: 'subscription.created' },
    { operator_id: sender.operatorId, action: 'subscription.seats_increased' },
  ]);
});

test('after a 202 nothing is given up: with Temporal away the same key is 202 again', async () => {
  const change = changing(await open());
  deliver = hangs;
  await change();
  deliver = away;
  expect(await change()).toMatchObject({ status: 202, body: { status: 'accepted' } });
});

test('a command answered 503 does nothing if it arrives later, and the same key begins a new attempt', async () => {
  const id = await open();
  const change = changing(id);
  deliver = away;
  expect(await change()).toMatchObject({ status: 503, body: { code: 'temporal_unavailable' } });
  expect(await operation()).toMatchObject({ status: 'abandoned', answer: null, problem: null });
  expect(await jobs()).toEqual([]);

  const [late] = sent;
  if (late === undefined) throw new Error('Nothing was sent.');
  await expect(service.direct.send(late)).rejects.toThrow(OperationAbandonedError);
  expect(await operation()).toMatchObject({ status: 'abandoned' });
  expect(await historyOf(client, id)).toEqual(['created']);

  deliver = works;
  expect((await change()).status).toBe(200);
  expect(sent.map(({ operationId }) => operationId)).toEqual([late.operationId, late.operationId]);
  expect(sent[1]?.updateId).not.toBe(late.updateId);
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});

test('two callers with one key: if one is answered 503, so is the other', async () => {
  const id = await open();
  const change = changing(id);
  let proceed: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  deliver = async (one, direct) => {
    if (sent.length > 1) return away(one, direct);
    await held;
    return direct.send(one);
  };
  const first = change();
  await until(() => sent.length === 1);
  expect((await change()).status).toBe(503);
  proceed();
  expect(await first).toMatchObject({ status: 503, body: { code: 'temporal_unavailable' } });
  expect(await historyOf(client, id)).toEqual(['created']);
});

test('a command that was carried out although sending it failed has its answer', async () => {
  const id = await open();
  deliver = async (one, direct) => {
    await direct.send(one);
    return away(one, direct);
  };
  expect((await changing(id)()).status).toBe(200);
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});

test('a command that was refused although sending it failed has its refusal', async () => {
  const id = await open();
  deliver = async (one, direct) => {
    await direct.send(one).catch(() => undefined);
    return away(one, direct);
  };
  const answer = await command(client, id, 'change', { body: { seats: 2 } });
  expect([answer.status, answer.body['code']]).toEqual([409, 'change_without_effect']);
});

test('a command that is being carried out is not abandoned: its end is awaited, and answered', async () => {
  const id = await open();
  const gate = new Client({ connectionString: service.database.adminUrl });
  await gate.connect();
  await gate.query(
    'CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$',
  );
  await gate.query(
    'CREATE TRIGGER wait BEFORE INSERT ON tollgate.idempotency_answers FOR EACH ROW EXECUTE FUNCTION public.wait()',
  );
  try {
    await gate.query('SELECT pg_advisory_lock(4711)');
    const waiting = async (): Promise<number> => {
      const { rows } = await gate.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0]?.n ?? 0;
    };
    let running: Promise<unknown> | undefined;
    deliver = async (one, direct) => {
      running = direct.send(one);
      await until(async () => (await waiting()) === 1);
      return away(one, direct);
    };
    const answer = changing(id)();
    // Both transactions wait: the one that carries it out, and the one that would give it up.
    await until(async () => (await waiting()) === 2);
    await gate.query('SELECT pg_advisory_unlock(4711)');
    expect((await answer).status).toBe(200);
    await running;
  } finally {
    await gate.query('DROP FUNCTION public.wait() CASCADE');
    await gate.end();
  }
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});

test('a command whose process died before it answered is accepted in its place, and ends by itself', async () => {
  const id = await open();
  const change = changing(id);
  deliver = hangs;
  await change();
  // The state after a crash before the caller's answer was recorded.
  await service.database.query("UPDATE tollgate.operations SET status = 'pending' WHERE id = $1", [
    sent[0]?.operationId,
  ]);
  await service.database.query('DELETE FROM graphile_worker._private_jobs');
  expect(await keep()).toBe(0);
  await age();
  expect(await keep()).toBe(1);
  expect(await operation()).toMatchObject({ status: 'accepted' });
  await relay();
  expect(await operation()).toMatchObject({ status: 'succeeded' });
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});

test.each([
  ['was lost', 'DELETE FROM graphile_worker._private_jobs', 1],
  ['has used up its attempts', 'UPDATE graphile_worker._private_jobs SET attempts = max_attempts', 1],
  [
    'is held by a relay that has died',
    "UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '3 minutes', locked_by = 'dead'",
    1,
  ],
  ['would wait for long', "UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour'", 1],
  ['will run', 'UPDATE graphile_worker._private_jobs SET attempts = 3', 0],
  ['is under way', "UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'one'", 0],
] as const)('an accepted command whose job %s', async (_, change, left) => {
  const id = await open();
  deliver = hangs;
  await changing(id)();
  await age();
  await service.database.query(change);
  const unsent = `operation ${sent[0]?.operationId ?? ''}`;
  expect((await found()).map((example) => example.startsWith(unsent))).toEqual(left === 1 ? [true] : []);
  expect(await keep()).toBe(left);
  expect(await found()).toEqual([]);
  expect(await keep()).toBe(0);
  await relay();
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});

test('only commands that no job will send are found, oldest first, so that no others keep one from being found', async () => {
  deliver = hangs;
  for (let opened = 0; opened < 4; opened += 1) await changing(await open())();
  const unsent = sent.slice(-2).map(({ operationId }) => operationId);
  const keys = unsent.map((id) => `operation/sandbox/${id}`);
  await service.database.query(
    "UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour' WHERE key = $1",
    [keys[0]],
  );
  await service.database.query('DELETE FROM graphile_worker._private_jobs WHERE key = $1', [keys[1]]);
  const firstOf = (limit: number) => findUnsentOperations(worker, Date.now() + 60_000, limit);
  const { workspaceId } = client;
  const [older, newer] = unsent.map((id) => ({ workspaceId, environment: 'sandbox', id }));
  expect(await firstOf(100)).toEqual([older, newer]);
  expect(await firstOf(1)).toEqual([older]);
});

test('an accepted command whose job is due within ten minutes, however long the verifier has been reading uses', async () => {
  const id = await open();
  deliver = hangs;
  const reading = new Client({ connectionString: service.database.adminUrl });
  await reading.connect();
  let differences: Promise<string[]>;
  try {
    await reading.query('BEGIN; LOCK TABLE tollgate.usage_counters');
    differences = found();
    await untilLockWaits(service.database);
    await changing(id)();
    await service.database.query(
      "UPDATE graphile_worker._private_jobs SET run_at = now() + interval '10 minutes'",
    );
  } finally {
    await reading.end();
  }
  expect(await differences).toEqual([]);
});

test('a command that was pending at the upgrade is listed by the verifier, and sent only by its own key', async () => {
  const id = await open();
  const change = changing(id);
  deliver = hangs;
  await change();
  const operationId = sent[0]?.operationId ?? '';
  await service.database.query(
    "UPDATE tollgate.operations SET status = 'pending', resendable = false WHERE id = $1",
    [operationId],
  );
  await service.database.query('DELETE FROM graphile_worker._private_jobs');
  await age();
  expect(await keep()).toBe(0);
  expect(await found()).toEqual([expect.stringContaining(operationId)]);

  deliver = works;
  expect((await change()).status).toBe(200);
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
});
