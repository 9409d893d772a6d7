import { connect, type Socket } from 'node:net';
import Koa from 'koa';
import { listen, type Listener } from '../../src/server/listener';
import { until } from '../support/until';

/** Larger than the buffers of both ends of a connection. */
const LARGE = 'x'.repeat(64_000_000);

let listener: Listener;
let endWork: () => void;
let isStreaming: boolean;
let isCut: boolean;
beforeEach(async () => {
  const work = new Promise<void>((resolve) => (endWork = resolve));
  isStreaming = false;
  isCut = false;
  const app = new Koa();
  app.use(async (ctx) => {
    if (ctx.path === '/large') {
      ctx.body = LARGE;
      ctx.req.socket.once('close', () => (isCut = true));
    }
    if (ctx.path === '/slow') {
      await work;
      ctx.body = 'slow';
    }
    if (ctx.path === '/stream') {
      ctx.respond = false;
      ctx.res.writeHead(200).write('begun');
      isStreaming = true;
      void work.then(() => ctx.res.end('ended'));
    }
  });
  listener = await listen(app.callback(), '127.0.0.1', 0, 'http://host.test', 1);
});
afterEach(() => listener.close());

/** Sends requests on one connection. */
function ask(...paths: string[]): { socket: Socket; received: () => string } {
  const socket = connect(listener.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  return { socket, received: () => text };
}

test('a client that reads nothing of its answer is disconnected; a stream and a slow handler are not', async () => {
  const stream = ask('/stream');
  const slow = ask('/slow');
  await until(() => isStreaming);
  const unread = ask('/large');
  unread.socket.pause();
  await until(() => isCut);
  const ended = new Promise((resolve) => unread.socket.once('close', resolve));
  unread.socket.once('error', () => undefined).resume();
  await ended;
  expect(unread.received().length).toBeLessThan(LARGE.length);
  endWork();
  await until(() => stream.received().includes('ended'));
  await until(() => slow.received().endsWith('slow'));
  for (const { socket } of [stream, slow]) socket.destroy();
});
