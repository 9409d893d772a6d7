import { TollgateError } from '../../src/domain/errors';
import type { Outcome } from '../../src/usage/decide-usage';
import type { BatchMode, BatchOutcome } from '../../src/usage/usage-batch';
import type { UsageCall } from '../../src/usage/usage-call';
import { UsageLane, type ProcessBatch } from '../../src/usage/usage-lane';

const call = (name: string): UsageCall => ({
  operation: 'track',
  externalId: name,
  feature: 'f',
  quantity: 1n,
  source: 'api',
  entity: null,
  timestamp: null,
  properties: null,
  reserve: null,
  reservationId: null,
  claim: { key: name, fingerprint: Buffer.alloc(32) },
  requestId: 'req_1',
});

const answered = (one: UsageCall): Outcome => ({
  kind: 'answered',
  denied: false,
  answer: { body: one.externalId, replayed: false },
});

const postgresError = (code: string): Error => Object.assign(new Error('from the database'), { code });

const createLane = (
  runCalls: ProcessBatch,
  onDenied: (call: UsageCall) => void = () => undefined,
): UsageLane =>
  new UsageLane(runCalls, onDenied, () => undefined, { batchSize: 256, queueLimit: 4_000, aloneLimit: 2 });

describe('a lane of usage calls', () => {
  test('calls that arrive together are one batch, one batch is in flight, and a single call does not wait', async () => {
    const sizes: number[] = [];
    let inFlight = 0;
    const lane = createLane(async (calls) => {
      inFlight += 1;
      expect(inFlight).toBe(1);
      sizes.push(calls.length);
      await new Promise(setImmediate);
      inFlight -= 1;
      return calls.map(answered);
    });
    await lane.submit(call('lone'));
    const names = Array.from({ length: 50 }, (_, index) => `together-${index}`);
    const answers = await Promise.all(names.map((name) => lane.submit(call(name))));
    expect(answers.map((answer) => answer.body)).toEqual(names);
    expect(sizes).toEqual([1, 50]);
  });

  test('the next batch is under way before the answers of the one before are given', async () => {
    const order: string[] = [];
    const lane = createLane(async (calls) => {
      order.push(`batch ${calls[0]?.externalId ?? ''}`);
      await new Promise(setImmediate);
      return calls.map(answered);
    });
    const submit = (name: string): Promise<number> =>
      lane.submit(call(name)).then((answer) => order.push(`answer ${answer.body}`));
    const first = submit('one');
    await new Promise(setImmediate);
    await Promise.all([first, submit('two')]);
    expect(order).toEqual(['batch one', 'batch two', 'answer one', 'answer two']);
  });

  test('a full queue refuses with 503 and Retry-After, and what waits is still answered', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const lane = createLane(async (calls) => {
      await gate;
      return calls.map(answered);
    });
    const outcomes = Array.from({ length: 4_001 }, (_, index) =>
      lane.submit(call(String(index))).then(
        () => 'answered',
        (error: unknown) => (error instanceof TollgateError ? `${error.code} ${error.retryAfter}` : 'other'),
      ),
    );
    await expect(outcomes[4_000]).resolves.toBe('service_busy 1');
    release();
    expect(new Set(await Promise.all(outcomes.slice(0, 4_000)))).toEqual(new Set(['answered']));
  });

  test("one call's failure is its own", async () => {
    const lane = createLane((calls) =>
      calls.some((one) => one.externalId === 'bad')
        ? Promise.reject(postgresError('22P02'))
        : Promise.resolve(calls.map(answered)),
    );
    const good = ['a', 'b', 'c'].map((name) => lane.submit(call(name)));
    await expect(lane.submit(call('bad'))).rejects.toMatchObject({ code: '22P02' });
    expect((await Promise.all(good)).map((answer) => answer.body)).toEqual(['a', 'b', 'c']);
  });

  test("after somebody's lock, batches stop waiting for it", async () => {
    const modes: BatchMode[] = [];
    const lane = createLane((calls, mode) => {
      modes.push(mode);
      return mode.waitForCustomers && calls.length > 1
        ? Promise.reject(postgresError('55P03'))
        : Promise.resolve(
            calls.map((one) =>
              one.externalId === 'stuck' && !mode.waitForKey ? { kind: 'held' } : answered(one),
            ),
          );
    });
    const first = await Promise.all(['stuck', 'free'].map((name) => lane.submit(call(name))));
    expect(first.map((answer) => answer.body)).toEqual(['stuck', 'free']);
    await Promise.all(['one', 'other'].map((name) => lane.submit(call(name))));
    expect(modes.map((mode) => mode.waitForCustomers)).toEqual([true, false, true, false]);
  });

  test("a customer's later calls do not overtake those that are held", async () => {
    const decided: (string | undefined)[] = [];
    let isFirst = true;
    const lane = new UsageLane(
      async (calls, { lockTimeoutMs }) => {
        if (isFirst) {
          isFirst = false;
          return calls.map(() => ({ kind: 'held', customer: 'x' }));
        }
        // The held call waits for the lock for a while.
        if (lockTimeoutMs === 2_000) for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
        decided.push(...calls.map(({ claim }) => claim?.key));
        return calls.map(answered);
      },
      () => undefined,
      () => undefined,
      { batchSize: 1, queueLimit: 10, aloneLimit: 1, keepsOrder: true },
    );
    const keys = ['x1', 'other', 'x2'];
    const calls = keys.map((key) => ({
      ...call(key.startsWith('x') ? 'x' : key),
      claim: { key, fingerprint: Buffer.alloc(32) },
    }));
    await lane.submitAll(calls);
    expect(decided).toEqual(['other', 'x1', 'x2']);
  });

  test('a lost connection is tried once more, and then says 503', async () => {
    let failures = 1;
    const lane = createLane((calls) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(postgresError('57P01')) : Promise.resolve(calls.map(answered));
    });
    await expect(lane.submit(call('once'))).resolves.toMatchObject({ body: 'once' });
    failures = 2;
    await expect(lane.submit(call('twice'))).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfter: 1,
    });
  });

  test('each denial is counted once, answered or refused', async () => {
    const denied: string[] = [];
    const refusal = new TollgateError('quota_exceeded', 'Used up.');
    const lane = createLane(
      (calls) =>
        Promise.resolve(
          calls.map((one): BatchOutcome => {
            if (one.externalId === 'refused') return { kind: 'refused', denied: true, error: refusal };
            return { ...answered(one), denied: one.externalId === 'denied' };
          }),
        ),
      (one) => denied.push(one.externalId),
    );
    await Promise.allSettled(['granted', 'denied', 'refused'].map((name) => lane.submit(call(name))));
    expect(denied).toEqual(['denied', 'refused']);
  });
});
