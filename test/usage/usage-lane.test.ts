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
): UsageLane => new UsageLane(runCalls, onDenied, () => undefined);

describe('a lane of usage calls', () => {
  test('calls that arrive together are one batch, and a lone call waits for nobody', async () => {
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

  describe('with a batch in flight', () => {
    /** A lane whose batches end when they are told to, and the batches that have started. */
    function heldLane(): {
      lane: UsageLane;
      batches: UsageCall[][];
      end: (index: number, error?: Error) => void;
    } {
      const batches: UsageCall[][] = [];
      const ends: ((error?: Error) => void)[] = [];
      const lane = createLane((calls) => {
        batches.push([...calls]);
        return new Promise((resolve, reject) => {
          ends.push((error) => {
            if (error === undefined) resolve(calls.map(answered));
            else reject(error);
          });
        });
      });
      return { lane, batches, end: (index, error) => ends[index]?.(error) };
    }

    const turn = (): Promise<void> => new Promise(setImmediate);
    const names = (prefix: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
    const namesOf = (batch: readonly UsageCall[] | undefined): string[] | undefined =>
      batch?.map((one) => one.externalId);

    test('few calls wait for it, and enough of them are a batch beside it; a third waits', async () => {
      const { lane, batches, end } = heldLane();
      const first = lane.submit(call('first'));
      await turn();
      const second = names('second', 47).map((name) => lane.submit(call(name)));
      await turn();
      expect(batches.length).toBe(1);
      second.push(lane.submit(call('enough')));
      await turn();
      expect(namesOf(batches[1])).toEqual([...names('second', 47), 'enough']);
      const third = names('third', 50).map((name) => lane.submit(call(name)));
      await turn();
      expect(batches.length).toBe(2);
      end(1);
      await Promise.all(second);
      expect(namesOf(batches[2])).toEqual(names('third', 50));
      end(0);
      end(2);
      await Promise.all([first, ...third]);
    });

    test("a customer's tracks wait for those of the same customer, in their order; checks and others do not", async () => {
      const { lane, batches, end } = heldLane();
      const track = (externalId: string, key: string): UsageCall => ({
        ...call(externalId),
        claim: { key, fingerprint: Buffer.alloc(32) },
      });
      const answers = [lane.submit(track('busy', 'key-1'))];
      await turn();
      answers.push(lane.submit(track('busy', 'key-2')), lane.submit({ ...call('busy'), claim: null }));
      answers.push(...names('free', 47).map((name) => lane.submit(call(name))));
      answers.push(lane.submit(track('busy', 'key-3')));
      await turn();
      expect(namesOf(batches[1])).toEqual(['busy', ...names('free', 47)]);
      expect(batches[1]?.[0]?.claim).toBeNull();
      end(1);
      await Promise.all(answers.slice(2, 50));
      // The batch beside it has ended; the customer's first is still counted.
      expect(batches.length).toBe(2);
      end(0);
      await answers[0];
      expect(batches[2]?.map((one) => one.claim?.key)).toEqual(['key-2', 'key-3']);
      end(2);
      await Promise.all(answers);
    });

    test('its failure is not that of the batch beside it', async () => {
      const { lane, batches, end } = heldLane();
      const first = lane.submit(call('first'));
      await turn();
      const second = names('second', 48).map((name) => lane.submit(call(name)));
      await turn();
      end(0, postgresError('57P01'));
      await turn();
      end(2, postgresError('57P01'));
      await expect(first).rejects.toMatchObject({ code: 'service_unavailable' });
      end(1);
      expect((await Promise.all(second)).map((answer) => answer.body)).toEqual(names('second', 48));
      expect(batches.map(namesOf)).toEqual([['first'], names('second', 48), ['first']]);
    });
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
