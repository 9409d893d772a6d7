import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer, Socket, type AddressInfo, type Server } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { createSendAttempt, type Answered } from '../../src/webhook-deliveries/send-attempt';
import { createResolveHost, type ResolveHost } from '../../src/webhook-endpoints/resolve-host';
import { createAuthority } from '../support/certificates';
import { Receiver } from './receiver';

/** Receivers that lie, stall and flood. */
let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(() => receiver.stop());

const nobody: ResolveHost = () => Promise.resolve([]);

/** For an attempt that ends only by its timeout. */
const SHORT = { attemptMs: 1_000 };

/** Sends an attempt that never times out, unless the test sets a short timeout. */
function send(
  url: string,
  { allowsLoopback = true, resolveHost = nobody, payload = '{"a":1}', attemptMs = 600_000 } = {},
): Promise<Answered> {
  const attempt = createSendAttempt({ rules: { allowsLoopback }, resolveHost, attemptMs });
  return attempt({ url, environment: 'sandbox', headers: { 'webhook-id': 'msg_1' }, payload });
}

test('posts JSON, and keeps the answer', async () => {
  const answered = await send(receiver.url('/hook?a=b'));
  expect(answered).toEqual({ statusCode: 200, error: null, answer: 'ok', retryAfter: undefined });
  expect(receiver.received).toMatchObject([
    {
      path: '/hook?a=b',
      body: '{"a":1}',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tollgate',
        'webhook-id': 'msg_1',
        'content-length': '7',
      },
    },
  ]);
});

test('a redirect is not followed', async () => {
  receiver.answer = (response) => {
    response.writeHead(301, { location: receiver.url('/elsewhere') }).end();
  };
  expect(await send(receiver.url())).toMatchObject({ statusCode: 301 });
  expect(receiver.received).toHaveLength(1);
});

test('an error, with when to come back', async () => {
  receiver.answer = (response) => {
    response.writeHead(503, { 'retry-after': '120' }).end('later');
  };
  expect(await send(receiver.url())).toEqual({
    statusCode: 503,
    error: null,
    answer: 'later',
    retryAfter: '120',
  });
});

test('of an answer without end only the beginning is read', async () => {
  const written = { bytes: 0, over: false };
  receiver.answer = (response) => {
    const more = (): void => {
      if (response.destroyed || written.over) return;
      written.bytes += 65_536;
      response.write('x'.repeat(65_536), () => setImmediate(more));
    };
    response.on('close', () => (written.over = true));
    more();
  };
  const answered = await send(receiver.url());
  expect(answered).toMatchObject({ statusCode: 200, error: null, answer: 'x'.repeat(1_024) });
  while (!written.over) await new Promise((resolve) => setTimeout(resolve, 10));
});

test('a compressed bomb is not opened', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  receiver.answer = (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  };
  const answered = await send(receiver.url());
  expect(answered).toMatchObject({ statusCode: 200, error: null });
  expect(answered.answer?.length).toBeLessThanOrEqual(1_024);
});

test('NULs, bytes that are no UTF-8 and half a character at the end become text', async () => {
  receiver.answer = (response) => {
    response.end(
      Buffer.concat([Buffer.from('a\0b'), Buffer.from([0xff, 0xfe]), Buffer.from('c€').subarray(0, 3)]),
    );
  };
  expect(await send(receiver.url())).toMatchObject({ statusCode: 200, answer: 'a\uFFFDb\uFFFD\uFFFDc' });
});

const DAWDLERS: [string, Receiver['answer']][] = [
  ['never answers', () => undefined],
  [
    'sends headers for ever',
    (response, _request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 50);
      response.on('close', () => {
        clearInterval(timer);
      });
      socket.on('close', () => {
        clearInterval(timer);
      });
    },
  ],
  [
    'sends its body drop by drop',
    (response, _request, socket) => {
      response.writeHead(200, { 'content-length': '500' });
      const timer = setInterval(() => response.write('x'), 50);
      socket.on('close', () => {
        clearInterval(timer);
      });
    },
  ],
];
test.each(DAWDLERS)('a receiver that %s fails in the time of an attempt', async (_name, answer) => {
  receiver.answer = answer;
  const { statusCode, error } = await send(receiver.url(), SHORT);
  expect(statusCode).toBeNull();
  expect(error).toContain('No complete answer within 1 seconds.');
});

const FLOODS: [string, string, string][] = [
  ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['a reason phrase', 'HTTP/1.1 200 ', 'x'.repeat(1_000)],
  ['a chunk extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;', 'x'.repeat(1_000)],
];
test.each(FLOODS)('%s without end: no more is read than an answer may have', async (_name, start, part) => {
  receiver.answer = (_response, _request, socket) => {
    const flood = part.repeat(64);
    const more = (): void => {
      while (!socket.destroyed && socket.write(flood));
    };
    socket.on('drain', more);
    socket.write(start);
    more();
  };
  // Only the amount of data sent ends this attempt.
  const { statusCode, error } = await send(receiver.url());
  expect(statusCode).toBeNull();
  expect(error).toContain('The receiver sent more than an answer has.');
});

test('TLS messages without end are not read either', async () => {
  // During a handshake, clients skip these messages (HelloRequest).
  const record = Buffer.concat([Buffer.from('1603034000', 'hex'), Buffer.alloc(0x4000)]);
  const server = createServer((socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(record));
    };
    socket.on('drain', more).on('error', () => undefined);
    socket.resume();
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { error } = await send(`https://127.0.0.1:${port}/`);
  server.close();
  await once(server, 'close');
  expect(error).toBe('The receiver sent more than an answer has.');
});

test('a certificate must be valid for the name, which is sent without a trailing dot', async () => {
  const authority = createAuthority();
  const server = createTlsServer(authority.issue('receiver', 'app.example'), ({ socket }, response) => {
    response.end(String((socket as tls.TLSSocket).servername));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const resolveHost = () => Promise.resolve(['127.0.0.1']);
  const answerOf = (name: string) => send(`https://${name}:${port}/`, { resolveHost });
  expect((await answerOf('app.example')).error).toBe('The request failed (UNABLE_TO_VERIFY_LEAF_SIGNATURE).');
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket;
  const trusting = (options: tls.ConnectionOptions) => connect({ ...options, ca: authority.cert });
  const spied = jest.spyOn(tls, 'connect').mockImplementation(trusting as typeof tls.connect);
  for (const name of ['app.example', 'app.example.']) {
    expect(await answerOf(name)).toMatchObject({ statusCode: 200, answer: 'app.example' });
  }
  expect(await answerOf('127.0.0.1')).toMatchObject({ statusCode: 200, answer: 'false' });
  expect((await answerOf('other.example')).error).toBe('The request failed (ERR_TLS_CERT_ALTNAME_INVALID).');
  spied.mockRestore();
  server.close();
  await once(server, 'close');
});

test('interim answers and HTTP/1.0 are understood, and what follows a 204 is left', async () => {
  const say = (text: string): void => {
    receiver.answer = (_response, _request, socket) => {
      socket.end(text);
    };
  };
  say('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  expect(await send(receiver.url())).toMatchObject({ statusCode: 200, answer: 'ok' });
  say('HTTP/1.0 200 OK\r\n\r\nok');
  expect(await send(receiver.url())).toMatchObject({ statusCode: 200, answer: 'ok' });
  for (const headers of ['', 'content-length: 2\r\n']) {
    say(`HTTP/1.1 204 No Content\r\n${headers}\r\nok`);
    expect(await send(receiver.url())).toMatchObject({ statusCode: 204, error: null, answer: '' });
  }
});

test('a receiver that closes, and one that is not there', async () => {
  receiver.answer = (_response, _request, socket) => {
    socket.destroy();
  };
  const closed = await send(receiver.url());
  expect(closed.statusCode).toBeNull();
  expect(closed.error).toMatch(/ended before|was reset/);
  expect(await send('http://127.0.0.1:1024/')).toMatchObject({ error: 'The connection was refused.' });
});

test('headers beyond their limit, and what is no HTTP', async () => {
  receiver.answer = (response) => {
    response.writeHead(200, { 'x-long': 'x'.repeat(60_000) }).end();
  };
  expect((await send(receiver.url())).statusCode).toBeNull();
  receiver.answer = (_response, _request, socket) => {
    socket.end('Hello\r\n\r\n');
  };
  expect((await send(receiver.url())).statusCode).toBeNull();
});

test('a receiver that never reads keeps an attempt for its time', async () => {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pause();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answered = await send(`http://127.0.0.1:${port}/`, { ...SHORT, payload: 'x'.repeat(20_000_000) });
  expect(answered.error).toContain('No complete answer');
  server.close();
});

test('each attempt has a connection of its own', async () => {
  await send(receiver.url());
  await send(receiver.url());
  expect(receiver.connections).toBe(2);
});

test('a name server that is silent takes no longer than an attempt', async () => {
  const answered = await send('http://slow.example/', {
    ...SHORT,
    resolveHost: () => new Promise(() => undefined),
  });
  expect(answered.error).toContain('No complete answer');
});

test('one of several addresses may take longer than a moment to connect to', async () => {
  const beBusy = (): void => {
    const end = Date.now() + 300;
    while (Date.now() < end);
  };
  const whileConnecting = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    socket.once('connectionAttempt', () => {
      process.nextTick(beBusy);
    });
  };
  subscribe('net.client.socket', whileConnecting);
  // Nothing listens at the other address.
  const resolveHost = () => Promise.resolve(['127.0.0.1', '::1']);
  const answered = await send(`http://far.example:${receiver.port}/`, { resolveHost });
  unsubscribe('net.client.socket', whileConnecting);
  expect(answered).toMatchObject({ statusCode: 200 });
});

test('of a name with thousands of addresses a few are tried, and all are checked', async () => {
  const tried = jest.spyOn(Socket.prototype, 'emit');
  // Nothing listens at these.
  const loopback = Array.from({ length: 1_000 }, (_, index) => `127.1.${index >> 8}.${index & 0xff}`);
  const url = `http://many.example:${receiver.port}/`;
  const refused = await send(url, { resolveHost: () => Promise.resolve([...loopback, '::1']) });
  expect(refused.error).toBe('The connection was refused.');
  const events: unknown[][] = tried.mock.calls;
  const attempts = events.filter(([event]) => event === 'connectionAttempt');
  expect(attempts.map(([, address]) => String(address))).toEqual([
    ...['127.1.0.0', '::1', '127.1.0.1', '127.1.0.2', '127.1.0.3'],
  ]);
  tried.mockRestore();
  const inside = await send(url, { resolveHost: () => Promise.resolve([...loopback, '10.0.0.1']) });
  expect(inside.error).toBe('The name leads to an address that is not public.');
});

test.each(['ETIMEOUT', 'EREFUSED'])(
  'a name without an answer for IPv6 (%s) has its IPv4 address',
  async (code) => {
    jest.spyOn(Resolver.prototype, 'resolve4').mockResolvedValue(['127.0.0.1']);
    jest.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(Object.assign(new Error(code), { code }));
    const resolveHost = createResolveHost();
    expect(await resolveHost('app.example')).toEqual(['127.0.0.1']);
    jest.spyOn(Resolver.prototype, 'resolve4').mockResolvedValue([]);
    await expect(resolveHost('app.example')).rejects.toMatchObject({ code });
    jest.restoreAllMocks();
  },
);

test('a name that leads inside is refused, also where another of its addresses is public', async () => {
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '169.254.169.254'], ['::ffff:10.0.0.1'], ['fd00::1']]) {
    const resolveHost = () => Promise.resolve(addresses);
    const answered = await send(`http://evil.example:${receiver.port}/`, {
      allowsLoopback: false,
      resolveHost,
    });
    expect(answered.error).toBe('The name leads to an address that is not public.');
  }
  expect(receiver.connections).toBe(0);
});

test('a name that changes its answer is connected to as it was checked', async () => {
  let lookUps = 0;
  // The first lookup returns an allowed address; a second one would return a refused one.
  const resolveHost = () => Promise.resolve((lookUps += 1) === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
  const url = `http://changing.example:${receiver.port}/`;
  expect(await send(url, { resolveHost })).toMatchObject({ statusCode: 200 });
  expect(lookUps).toBe(1);
  expect(receiver.received[0]?.headers['host']).toBe(`changing.example:${receiver.port}`);
  // The next attempt resolves the name again, and reuses no earlier connection.
  expect(await send(url, { resolveHost })).toMatchObject({
    statusCode: null,
    error: 'The name leads to an address that is not public.',
  });
  expect(receiver.connections).toBe(1);
});

test('an address that is refused is not connected to', async () => {
  const answered = await send(receiver.url(), { allowsLoopback: false });
  expect(answered.error).toBe('The address is not a public address.');
  expect(receiver.connections).toBe(0);
});
