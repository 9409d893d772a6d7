import { FULL_PART, PartTurns, SMALL_PART } from '../../src/usage/part-turns';

/** A clock that advances only when it is waited for. */
function watch(): { now: () => number; pause: (ms: number) => Promise<void>; pass: (ms: number) => void } {
  let now = 0;
  const pass = (ms: number): void => {
    now += ms;
  };
  return {
    now: () => now,
    pass,
    pause: (ms) => {
      pass(ms);
      return Promise.resolve();
    },
  };
}

test('one part at a time, in the order in which they asked', async () => {
  const turns = new PartTurns(watch());
  const order: string[] = [];
  const part = async (name: string): Promise<void> => {
    const done = await turns.take();
    order.push(`${name} begins`);
    await new Promise(setImmediate);
    order.push(`${name} ends`);
    done();
  };
  await Promise.all([part('one'), part('two'), part('three')]);
  expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
});

test('while single calls come, parts are small and rest for twice as long as they took', async () => {
  const time = watch();
  const turns = new PartTurns(time);
  expect(turns.partSize()).toBe(FULL_PART);
  const part = async (ms: number): Promise<number> => {
    const startedAt = time.now();
    const done = await turns.take();
    const waited = time.now() - startedAt;
    time.pass(ms);
    done();
    return waited;
  };
  expect(await part(5)).toBe(0);
  expect(await part(5)).toBe(0);
  turns.noteSingle();
  expect(turns.partSize()).toBe(SMALL_PART);
  expect(await part(5)).toBe(0);
  expect(await part(7)).toBe(10);
  expect(await part(1)).toBe(14);
  // After a while without calls.
  time.pass(100);
  expect(turns.partSize()).toBe(FULL_PART);
  expect(await part(5)).toBe(0);
  expect(await part(5)).toBe(0);
});

test('a part that waited for something else does not rest for twice as long as that', async () => {
  const time = watch();
  const turns = new PartTurns(time);
  const done = await turns.take();
  // As on a connection that does not answer.
  time.pass(15_000);
  turns.noteSingle();
  done();
  const endedAt = time.now();
  await turns.take();
  expect(time.now() - endedAt).toBe(500);
});
