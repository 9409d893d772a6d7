import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { UsageWorkspace } from '../support/usage-workspace';
import { Integrator } from '../support/integrator';
import { startApiProcess, type ApiProcess } from '../support/api-process';
import { sendBatchUntilTaken, trackUntilTaken } from '../support/until-taken';
import { sendBatch, type BatchEvent, type BatchResult } from '../support/usage-batches';

let usage: UsageWorkspace;
let other: ApiProcess;
let apis: [Integrator, Integrator];

beforeAll(async () => {
  usage = await UsageWorkspace.start();
  other = await startApiProcess(usage.service.database);
  apis = [usage.api, new Integrator(other.sandboxUrl, usage.workspace.sandboxKey)];
});
afterAll(async () => {
  await other.kill('SIGTERM');
  await usage.stop();
});

const eventsFor = (externalId: string, quantities: readonly number[]): BatchEvent[] =>
  quantities.map((quantity) => ({
    idempotencyKey: randomUUID(),
    externalId,
    feature: 'ai_tokens',
    quantity,
  }));

const quantityOf = (results: readonly BatchResult[], events: readonly BatchEvent[]): number =>
  results.reduce((sum, { status }, index) => sum + (status === 200 ? (events[index]?.quantity ?? 0) : 0), 0);

test('batches of two processes and single calls at a hard quota: exact, never over', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 100, maxLength: 250 }),
      fc.integer({ min: 100, max: 900 }),
      async (quantities, quota) => {
        const { externalId } = await usage.customer({ feature: 'ai_tokens', quota });
        const batches = apis.map((api) => ({ api, events: eventsFor(externalId, quantities) }));
        const singles = eventsFor(externalId, quantities.slice(0, 20));
        const [one, two, ...alone] = await Promise.all([
          ...batches.map(({ api, events }) => sendBatchUntilTaken(api, events)),
          ...singles.map(async ({ quantity, idempotencyKey }, index) => {
            const api = apis[index % 2] ?? usage.api;
            const { status } = await trackUntilTaken(api, externalId, 'ai_tokens', quantity, {
              key: idempotencyKey,
            });
            return [{ status, idempotencyKey, replayed: false }];
          }),
        ]);
        const all = [...(one ?? []), ...(two ?? []), ...alone.flat()];
        const sent = [...batches.flatMap(({ events }) => events), ...singles];
        expect(all.map(({ status }) => status).filter((status) => status !== 200 && status !== 403)).toEqual(
          [],
        );
        const granted = quantityOf(all, sent);
        expect(granted).toBeLessThanOrEqual(quota);
        expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(granted);
        const smallestRefused = Math.min(
          ...sent.filter((_, index) => all[index]?.status === 403).map(({ quantity }) => quantity),
        );
        expect(quota - granted).toBeLessThan(smallestRefused);
      },
    ),
    { numRuns: 4, seed: 11 },
  );
});

test('the same batch in two processes at the same time counts each event once', async () => {
  const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1e6 });
  const events = eventsFor(
    externalId,
    Array.from({ length: 300 }, (_, index) => index + 1),
  );
  // In the opposite order, so that each batch holds what the other wants next.
  const [there, back] = await Promise.all([
    sendBatchUntilTaken(apis[0], events),
    sendBatchUntilTaken(apis[1], [...events].reverse()).then((results) => results.reverse()),
  ]);
  events.forEach((_, index) => {
    const both = [there[index], back[index]];
    expect(both.map((result) => result?.status)).toEqual([200, 200]);
    expect(both.filter((result) => result?.replayed === false)).toHaveLength(1);
    expect(new Set(both.map((result) => JSON.stringify(result?.answer))).size).toBe(1);
  });
  expect(await usage.usageOf(externalId, 'ai_tokens')).toBe((300 * 301) / 2);
});

test("somebody's lock on one customer and one key stops no other event", async () => {
  const held = await usage.customer({ feature: 'ai_tokens', quota: 1_000 });
  const free = await usage.customer({ feature: 'ai_tokens', quota: 1_000 });
  const events = Array.from({ length: 200 }, (_, index) =>
    eventsFor(index % 2 === 0 ? held.externalId : free.externalId, [1]),
  ).flat();
  const ofHeldKey = events[101];
  if (ofHeldKey === undefined) throw new Error('There is no such event.');
  const holder = new Client({ connectionString: usage.service.database.adminUrl });
  await holder.connect();
  const scope = `${usage.workspace.workspaceId}|sandbox|`;
  try {
    await holder.query('BEGIN');
    await holder.query(
      'SELECT pg_advisory_xact_lock(hashtextextended($1, 2)), pg_advisory_xact_lock(hashtextextended($2, 1))',
      [`${scope}${held.externalId}`, `${scope}${ofHeldKey.idempotencyKey}`],
    );
    const results = await sendBatch(usage.api, events);
    expect(results.map(({ status, retryAfter, problem }) => [status, retryAfter, problem?.['code']])).toEqual(
      events.map((event) => {
        if (event === ofHeldKey) return [409, 1, 'idempotency_key_in_use'];
        return event.externalId === free.externalId ? [200, undefined, undefined] : [503, 1, 'service_busy'];
      }),
    );
  } finally {
    await holder.query('ROLLBACK');
    await holder.end();
  }
  const again = await sendBatch(usage.api, events);
  expect(again.map(({ status }) => status)).toEqual(events.map(() => 200));
  expect(again.filter(({ replayed }) => replayed)).toHaveLength(99);
  expect(await usage.usageOf(held.externalId, 'ai_tokens')).toBe(100);
  expect(await usage.usageOf(free.externalId, 'ai_tokens')).toBe(100);
});

/** A batch tries this many customers whose balances others hold, for two seconds each. */
const HELD = 6;

test('a process that is killed in a batch: what it had committed is replayed, the rest recorded', async () => {
  const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1e9 });
  const held: string[] = [];
  while (held.length < HELD)
    held.push((await usage.customer({ feature: 'ai_tokens', quota: 1e9 })).externalId);
  const events = [
    ...eventsFor(
      externalId,
      Array.from({ length: 1_000 - HELD }, (_, index) => index + 1),
    ),
    ...held.flatMap((customer) => eventsFor(customer, [1])),
  ];
  const keys = events.map(({ idempotencyKey }) => idempotencyKey);
  const recorded = async (): Promise<number> => {
    const [row] = await usage.service.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM tollgate.usage_events WHERE idempotency_key = ANY ($1)',
      [keys],
    );
    return row?.n ?? 0;
  };
  const victim = await startApiProcess(usage.service.database);
  const api = new Integrator(victim.sandboxUrl, usage.workspace.sandboxKey);
  const holder = new Client({ connectionString: usage.service.database.adminUrl });
  await holder.connect();
  try {
    // Some events wait for their customers, one after the other, so that the batch's process is killed before the batch
    // is answered.
    for (const customer of held)
      await holder.query('SELECT pg_advisory_lock(hashtextextended($1, 2))', [
        `${usage.workspace.workspaceId}|sandbox|${customer}`,
      ]);
    const sent = sendBatch(api, events).then(
      () => 'answered',
      () => 'lost',
    );
    while ((await recorded()) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await victim.kill('SIGKILL');
    expect(await sent).toBe('lost');
  } finally {
    await holder.end();
  }
  const before = await recorded();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(events.length);
  const results = await sendBatchUntilTaken(usage.api, events);
  expect(results.map(({ status }) => status)).toEqual(events.map(() => 200));
  expect(results.filter(({ replayed }) => replayed)).toHaveLength(before);
  expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(((1_000 - HELD) * (1_001 - HELD)) / 2);
  for (const customer of held) expect(await usage.usageOf(customer, 'ai_tokens')).toBe(1);
});

test('a batch gives what the same calls give one after another', async () => {
  const customers = ['soft', 'hard', 'credits'] as const;
  const event = fc.record({
    customer: fc.constantFrom(...customers, 'nobody' as const),
    quantity: fc.constantFrom(1, 2.5, 7, 0.000001, 0),
    key: fc.integer({ min: 0, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 90 }), async (drawn) => {
      const side = async (): Promise<{ ids: Map<string, string>; events: BatchEvent[] }> => {
        const ids = new Map<string, string>([['nobody', 'nobody']]);
        const terms = { feature: 'ai_tokens', quota: 20 };
        ids.set('hard', (await usage.customer(terms)).externalId);
        ids.set('soft', (await usage.customer({ ...terms, enforcement: 'soft' })).externalId);
        const paying = await usage.customer({ ...terms, quota: 5, creditCost: 0.5 });
        await usage.seed.credits(paying.customerId, 3);
        ids.set('credits', paying.externalId);
        const prefix = randomUUID();
        const events = drawn.map(({ customer, quantity, key }) => ({
          idempotencyKey: `${prefix}-${key}`,
          externalId: ids.get(customer) ?? '',
          feature: 'ai_tokens',
          quantity,
        }));
        return { ids, events };
      };
      const [batched, alone] = [await side(), await side()];
      const inBatch = (await sendBatch(usage.api, batched.events)).map(
        ({ status, replayed, answer, problem }) => ({
          status,
          replayed,
          ...outcome(answer ?? problem),
        }),
      );
      const inTurn = [];
      for (const { idempotencyKey, externalId, quantity } of alone.events) {
        const { status, headers, body } = await usage.api.track(
          externalId,
          'ai_tokens',
          quantity,
          idempotencyKey,
        );
        const replayed = headers.get('idempotency-replayed') === 'true';
        inTurn.push({ status, replayed, ...outcome(body) });
      }
      expect(inBatch).toEqual(inTurn);
      for (const name of customers) {
        const [one, two] = await Promise.all(
          [batched, alone].map(({ ids }) => usage.api.check(ids.get(name) ?? '', 'ai_tokens')),
        );
        expect(outcome(one?.body)).toEqual(outcome(two?.body));
      }
    }),
    { numRuns: 12, seed: 5 },
  );
});

/** Returns the decision, without names and ids. */
function outcome(body: Record<string, unknown> = {}): object {
  const { code, usage: used, quota, remaining, creditBalance, overage, quantity, reason, errors } = body;
  const deductions = (body['deductions'] as Record<string, unknown>[] | undefined)?.map(
    ({ from, quantity: units, credits }) => ({ from, units, credits }),
  );
  const decided = (body['decision'] ?? {}) as Record<string, unknown>;
  return {
    code,
    used,
    quota,
    remaining,
    creditBalance,
    overage,
    quantity,
    reason,
    errors,
    deductions,
    decided: [decided['usage'], decided['remaining'], decided['creditBalance']],
  };
}
