import Koa from 'koa';
import { createCore } from '../../simulators/core/core';
import { meetFaults } from '../../simulators/core/faults';
import { listen } from '../../simulators/core/server';
import type { Fault } from '../../simulators/core/types';
import { namedCall } from '../../simulators/core/named-call';
import { startReceiver } from './webhook-receiver';

const START = Date.parse('2026-01-31T10:00:00Z');

const doing = namedCall('test.do', (what: () => void) => {
  what();
});
const deliveryTo = namedCall('test.plain-delivery', (url: string, text: string) => ({
  url,
  headers: {},
  body: Buffer.from(text),
}));

test('the clock runs what falls due in order, each at its own instant, and what is made on the way too', async () => {
  const { clock } = createCore({ real: () => START });
  const seen: [string, number][] = [];
  const note = (name: string) => () => void seen.push([name, clock.now() - START]);
  clock.at(START + 300, doing(note('third')));
  const first = (): void => {
    note('first')();
    clock.at(START + 200, doing(note('second')));
  };
  clock.at(START + 100, doing(first));
  clock.at(START + 250, doing(note('cancelled'))).cancel();
  clock.at(START + 1_001, doing(note('later')));
  await clock.advanceTo(START + 1_000);
  expect(seen).toEqual([
    ['first', 100],
    ['second', 200],
    ['third', 300],
  ]);
  expect(clock.now()).toBe(START + 1_000);
  await expect(clock.advanceTo(START)).rejects.toThrow(RangeError);
});

test('the clock runs on with real time, and is only ahead of it', async () => {
  let real = START;
  const { clock } = createCore({ real: () => real });
  await clock.advanceTo(START + 5_000);
  real += 70;
  expect(clock.now()).toBe(START + 5_070);
  expect(clock.real()).toBe(START + 70);
});

describe('the outbox', () => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let core: ReturnType<typeof createCore>;
  const bodies = () => receiver.received.map(({ body }) => body.toString());
  const send = (text: string) => {
    const call = deliveryTo(`${receiver.url}/in`, text);
    core.outbox.send(call, { provider: 'a', event: 'test', id: text });
  };

  beforeEach(async () => {
    receiver = await startReceiver();
    core = createCore({ retryDelaysMs: [60_000, 60_000] });
  });
  afterEach(async () => {
    await core.outbox.stop();
    await receiver.stop();
  });

  test('sends in order, and again until it is accepted', async () => {
    receiver.answers.push(500, 200, 302, 200);
    send('one');
    send('two');
    send('three');
    await core.outbox.flush();
    expect(bodies()).toEqual(['one', 'two', 'three']);
    await core.outbox.retryNow();
    await core.outbox.retryNow();
    expect(bodies()).toEqual(['one', 'two', 'three', 'one', 'three']);
    expect(core.outbox.deliveries.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([
      [500, 200],
      [200],
      [302, 200],
    ]);
  });

  test('a webhook that is resent before its delay is over is not sent again by the delay', async () => {
    receiver.answers.push(503);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date', 'performance'] });
    try {
      send('one');
      await core.outbox.flush();
      core.outbox.resend('one');
      await core.outbox.flush();
      jest.advanceTimersByTime(60_000);
      await core.outbox.flush();
    } finally {
      jest.useRealTimers();
    }
    expect(bodies()).toEqual(['one', 'one']);
  });

  test('tries again by itself after its delay', async () => {
    await core.outbox.stop();
    core = createCore({ retryDelaysMs: [1] });
    receiver.answers.push(503);
    send('one');
    while (receiver.received.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await core.outbox.flush();
    expect(bodies()).toEqual(['one', 'one']);
  });

  test('notes why there was no answer', async () => {
    await receiver.stop();
    send('one');
    await core.outbox.flush();
    expect(core.outbox.deliveries[0]?.attempts).toEqual([
      { at: expect.any(Number) as number, error: expect.stringContaining('ECONNREFUSED') as string },
    ]);
    receiver = await startReceiver();
  });

  test('duplicates, reorders, delays, drops, tampers and sends elsewhere on request', async () => {
    Object.assign(core.outbox.switches, { duplicate: true });
    send('twice');
    await core.outbox.flush();
    Object.assign(core.outbox.switches, { duplicate: false, reorder: true });
    send('first');
    send('second');
    await core.outbox.flush();
    Object.assign(core.outbox.switches, { reorder: false, delayMs: 20 });
    send('late');
    Object.assign(core.outbox.switches, { delayMs: 0 });
    send('soon');
    await core.outbox.flush();
    expect(bodies()).toEqual(['twice', 'twice', 'second', 'first', 'soon', 'late']);
    receiver.received.length = 0;
    Object.assign(core.outbox.switches, { drop: true });
    send('dropped');
    Object.assign(core.outbox.switches, { drop: false, tamper: true });
    send('tampered');
    await core.outbox.flush();
    expect(bodies()).toHaveLength(1);
    expect(bodies()).not.toContain('tampered');
    Object.assign(core.outbox.switches, { tamper: false, wrongEnvironmentUrl: `${receiver.url}/other` });
    send('astray');
    await core.outbox.flush();
    expect(receiver.received.at(-1)?.path).toBe('/other');
    // What waits for others goes where it was sent, whatever the switch is by then.
    send('still astray');
    send('after it');
    core.outbox.switches.wrongEnvironmentUrl = null;
    send('right');
    await core.outbox.flush();
    expect(receiver.received.slice(-3).map(({ path }) => path)).toEqual(['/other', '/other', '/in']);
    expect(core.outbox.resend('dropped')).toBe(true);
    expect(core.outbox.resend('unheard of')).toBe(false);
  });
});

describe('a request that meets a fault', () => {
  let core: ReturnType<typeof createCore>;
  let served: number;
  let listening: Awaited<ReturnType<typeof listen>>;

  beforeEach(async () => {
    core = createCore();
    served = 0;
    const app = new Koa();
    app.use(meetFaults(core, 'a', { failed: { failed: true }, tooMany: { tooMany: true } }));
    app.use((ctx) => {
      served += 1;
      ctx.body = { served };
    });
    listening = await listen(app, 0);
  });
  afterEach(() => listening.stop());

  const meet = async (fault: Fault, method = 'GET') => {
    core.faults.set({ provider: 'a', path: '/', fault, times: 1 });
    const answer = await fetch(`${listening.url}/v1/thing`, { method });
    return [answer.status, await answer.text()] as const;
  };

  test.each([
    ['answer_500', 500, '{"failed":true}'],
    ['answer_429', 429, '{"tooMany":true}'],
    ['answer_page', 502, '<html><h1>502 Bad Gateway</h1></html>'],
  ] as const)('is not executed: %s', async (fault, status, text) => {
    expect(await meet(fault, 'POST')).toEqual([status, text]);
    expect(served).toBe(0);
  });

  test('is executed, and its answer is cut', async () => {
    expect(await meet('cut_answer', 'POST')).toEqual([200, '{"serv']);
    await expect(meet('cut_after_commit', 'POST')).rejects.toThrow(TypeError);
    expect(served).toBe(2);
  });

  test('is answered as the last one, if it only reads', async () => {
    expect(await meet('answer_stale')).toEqual([200, '{"served":1}']);
    expect(await meet('none', 'POST')).toEqual([200, '{"served":2}']);
    expect(await meet('answer_stale')).toEqual([200, '{"served":1}']);
    expect(await meet('answer_stale', 'POST')).toEqual([200, '{"served":3}']);
    expect(await meet('none')).toEqual([200, '{"served":4}']);
    expect(await meet('answer_stale')).toEqual([200, '{"served":4}']);
  });
});

test('a fault meets as many requests as it was set for, of its provider and path', () => {
  const { faults } = createCore();
  faults.set({ provider: 'a', path: '/v1/refunds', fault: 'answer_500', times: 2 });
  faults.set({ provider: 'a', path: '/v1', fault: 'slow', delayMs: 7 });
  expect(faults.next('b', '/v1/refunds')).toBe('none');
  expect(faults.next('a', '/v1/refunds')).toBe('answer_500');
  expect(faults.next('a', '/v1/refunds/re_1')).toBe('answer_500');
  expect(faults.next('a', '/v1/refunds')).toBe('slow');
  expect(faults.slowMs).toBe(7);
  faults.clear();
  expect(faults.next('a', '/v1/refunds')).toBe('none');
});
