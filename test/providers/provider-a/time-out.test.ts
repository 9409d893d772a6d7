import { createServer } from 'node:http';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { startOperations } from './operations-world';
import { listenLocally } from '../../support/listen-locally';
import { useStarted } from '../../support/use-started';

const world = useStarted(startOperations);

test('an answer that takes too long is unknown, and asked again the money goes back once', async () => {
  const { payment } = await world.paid();
  const request = world.refund(payment);
  world.core.faults.set({ provider: 'a', path: '/v1/refunds', fault: 'slow', delayMs: 1_500, times: 1 });
  expect(await providerA.refundPayment({ ...world.access, timeoutMs: 500 }, request)).toMatchObject({
    kind: 'unknown',
    reason: 'Provider A could not be reached.',
  });
  const refunds = async () => (await world.client.refunds.list({ payment_intent: payment })).data.length;
  expect((await providerA.refundPayment(world.access, { ...request, repeated: true })).kind).toBe('done');
  expect(await refunds()).toBe(1);
});

test.each([
  ['its body', '{"id":"sub_1","pad":"'],
  ['its headers', null],
])('an answer that goes on with a byte now and then is given up too, in %s', async (_, body) => {
  const closed: Promise<unknown>[] = [];
  const server = createServer().on('connection', (socket) => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
    socket.write(body === null ? `${head}X-Pad: ` : `${head}\r\n${body}`);
    const drip = setInterval(() => socket.write('x'), 20);
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
    socket.once('close', () => {
      clearInterval(drip);
    });
    socket.on('error', () => undefined);
  });
  const port = await listenLocally(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  const access = { ...world.access, baseUrl, timeoutMs: 200 };
  expect(await providerA.fetchSubscription(access, 'sub_1')).toMatchObject({
    kind: 'unknown',
    reason: 'Provider A could not be reached.',
  });
  // The connection is closed, so that a slow server cannot hold it open.
  await Promise.all(closed);
  server.close();
});

test('an answer that switches protocols is unknown', async () => {
  const server = createServer().on('connection', (socket) => {
    socket
      .on('error', () => undefined)
      .write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  });
  const port = await listenLocally(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  expect(await providerA.fetchSubscription({ ...world.access, baseUrl }, 'sub_1')).toMatchObject({
    kind: 'unknown',
    reason: 'Provider A could not be reached.',
  });
  server.close();
});
