import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { listen } from '../../src/server/listener';
import { StreamReader } from '../support/event-stream';
import { logIn } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { until } from '../support/until';

/** The end of an API process as a load balancer sees it. */
describe('while it is about to end', () => {
  let service: TestService;
  let endDrain: () => void;
  beforeEach(async () => {
    const drained = new Promise<void>((resolve) => (endDrain = resolve));
    service = await startTestService({ drain: () => drained });
  });

  test('/readyz says so first, requests are served and their connections end, then the ports are closed', async () => {
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    const stream = await StreamReader.open(await logIn(service, { role: 'viewer' }), service.urls.console);
    for (const url of Object.values(service.urls)) {
      // A loaded Postgres may not answer within readiness's own deadline.
      await until(async () => (await get(`${url}/readyz`, kept)).status === 200);
      expect(await get(`${url}/healthz`, kept)).toMatchObject({ status: 200, connection: 'keep-alive' });
    }
    const stopped = service.stop();
    for (const url of Object.values(service.urls)) {
      // The first request uses the connection that was open before, the second a new one.
      expect(await get(`${url}/readyz`, kept)).toEqual({ status: 503, connection: 'close', reused: true });
      expect(await get(`${url}/healthz`, kept)).toEqual({ status: 200, connection: 'close', reused: false });
    }
    const refused = await fetch(`${service.urls.sandbox}/v1/events`);
    expect([refused.status, refused.headers.get('connection')]).toEqual([401, 'close']);
    expect(await (await fetch(`${service.urls.sandbox}/readyz`)).json()).toEqual({ status: 'draining' });
    expect(stream.ended).toBe(false);
    endDrain();
    await stopped;
    await stream.until((one) => one.ended);
    expect(stream.messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'shutdown' } });
    expect(stream.response.complete).toBe(true);
    for (const url of Object.values(service.urls)) await expect(fetch(url)).rejects.toThrow();
    kept.destroy();
  });

  test('neither a silent connection nor an idle one keeps it from ending', async () => {
    const sockets: Socket[] = [];
    for (const text of ['', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n']) {
      const socket = connect(Number(new URL(service.urls.sandbox).port), '127.0.0.1');
      sockets.push(socket);
      const answered = new Promise((resolve) => socket.once('data', resolve));
      await new Promise((resolve) => socket.write(text, resolve));
      if (text !== '') await answered;
    }
    endDrain();
    await service.stop();
    for (const socket of sockets) socket.destroy();
  });
});

test('a request on a connection that was idle when the port closed is answered, and ends it', async () => {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = 'answered';
  });
  const listener = await listen(app.callback(), '127.0.0.1', 0, 'http://host.test');
  const url = `http://127.0.0.1:${listener.port}/`;
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await get(url, kept)).toMatchObject({ status: 200, connection: 'keep-alive' });
  listener.drain();
  // Longer than the test may take: the answer closes the connection, and so ends the wait.
  const closed = listener.close(600_000);
  await expect(fetch(url)).rejects.toThrow();
  expect(await get(url, kept)).toEqual({ status: 200, connection: 'close', reused: true });
  await closed;
  kept.destroy();
});

test('a request whose caller has gone is still finished before the end', async () => {
  let finish: () => void = () => undefined;
  const work = new Promise<void>((resolve) => (finish = resolve));
  const seen = { begun: false, closed: false, finished: false };
  const app = new Koa();
  app.use(async (ctx) => {
    ctx.req.socket.once('close', () => (seen.closed = true));
    seen.begun = true;
    await work;
    seen.finished = true;
  });
  const listener = await listen(app.callback(), '127.0.0.1', 0, 'http://host.test');
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => seen.begun);
  socket.destroy();
  await until(() => seen.closed);
  const closed = listener.close().then(() => seen.finished);
  await expect(fetch(`http://127.0.0.1:${listener.port}/`)).rejects.toThrow();
  // A listener that does not wait has ended by then: its port is closed, and it has no connection.
  await new Promise((resolve) => setImmediate(resolve));
  finish();
  expect(await closed).toBe(true);
});

test.each([
  ['what is no HTTP', 'NOT HTTP AT ALL\r\n\r\n', 400, 'request_malformed'],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['a tunnel', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n', 400, 'request_malformed'],
])('%s is answered with a problem', async (_, text, status, code) => {
  const listener = await listen(new Koa().callback(), '127.0.0.1', 0, 'http://host.test');
  const [head = '', body = ''] = (await sendBytes(listener.port, text)).split('\r\n\r\n');
  expect(head.split(' ')[1]).toBe(String(status));
  expect(JSON.parse(body)).toMatchObject({ status, code, type: `http://host.test/docs/errors#${code}` });
  await listener.close();
});

test.each([
  ['that', '/slow', ''],
  ['each of several', '/slow', '/fast'],
  ['one that has begun', '/begun', '/fast'],
])('what is no HTTP after a request does not take the place of the answer to %s', async (_, ...paths) => {
  const app = new Koa();
  app.use(async (ctx) => {
    if (ctx.path === '/begun') {
      ctx.respond = false;
      ctx.res.writeHead(200, { 'Content-Length': 6 }).write('/be');
    }
    if (ctx.path !== '/fast') await sleep(50);
    if (ctx.path === '/begun') ctx.res.end('gun');
    else ctx.body = ctx.path;
  });
  const listener = await listen(app.callback(), '127.0.0.1', 0, 'http://host.test');
  const asked = paths.filter((path) => path !== '');
  const requests = asked.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const answers = await sendBytes(listener.port, `${requests.join('')}NOT HTTP\r\n\r\n`);
  const bodies = answers.split(/HTTP\/1\.1 200[^]*?\r\n\r\n/);
  expect(bodies).toEqual(['', ...asked]);
  await listener.close();
});

test('what is no HTTP does not cut off an answer that is still being read, and is refused after one', async () => {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = ctx.path === '/large' ? 'x'.repeat(16_000_000) : 'small';
  });
  const listener = await listen(app.callback(), '127.0.0.1', 0, 'http://host.test');
  const ask = (path: string): Promise<string> =>
    sendBytes(listener.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, 'NOT HTTP\r\n\r\n');
  expect((await ask('/large')).split('\r\n\r\n')[1]?.length).toBe(16_000_000);
  expect(await ask('/small')).toMatch(/^HTTP\/1.1 200[^]*smallHTTP\/1.1 400/);
  await listener.close();
});

test('a second request that is broken is not answered before the first', async () => {
  const app = new Koa();
  app.use(() => sleep(50));
  const listener = await listen(app.callback(), '127.0.0.1', 0, 'http://host.test');
  const broken = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nNO LENGTH\r\n';
  expect(await sendBytes(listener.port, `GET / HTTP/1.1\r\nHost: x\r\n\r\n${broken}`)).toBe('');
  await listener.close();
});

/** Returns all that is answered on a connection until it is closed. @param then is sent after the first bytes of that */
async function sendBytes(port: number, text: string, then?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  socket.write(text);
  if (then !== undefined) socket.once('data', () => socket.write(then));
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

function get(url: string, agent: Agent): Promise<{ status: number; connection: string; reused: boolean }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, connection: headers.connection ?? '', reused: sent.reusedSocket });
      });
    });
    sent.once('error', reject).end();
  });
}
