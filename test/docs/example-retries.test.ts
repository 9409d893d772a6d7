import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { send, type Response } from '../support/send';

const SAAS = path.join(__dirname, '..', '..', 'examples', 'saas');

/** What the product's page reads: a customer whose checkout was given up, and is still open at the provider. */
const PAGE: Readonly<Record<string, object>> = {
  '/v1/plans': { data: [] },
  '/v1/subscriptions': { data: [{ id: 'sub_1', status: 'incomplete', plan: { name: 'Pro' } }] },
  '/v1/checkouts': {
    data: [{ id: 'chk_1', url: 'http://provider.test/', givenUpAt: '2026-11-28T00:00:00Z' }],
  },
  '/v1/customers/ada/entitlements': { data: [] },
  '/v1/usage/check': { allowed: true },
};

/** Grants every check, and answers the first track as if its first request was still in progress. */
let service: Server;
let env: Record<string, string>;
let keys: unknown[];
/** How many of the first answers are those of a proxy. */
let ofProxy: number;
/** How many of the first answers are cut off after their head; all but the first of them are refusals. */
let cutOff: number;

beforeAll(async () => {
  service = createServer((request, response) => {
    const answer = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    };
    request.resume().once('end', () => {
      const path = request.url?.split('?')[0] ?? '';
      if (path in PAGE) {
        answer(200, PAGE[path] ?? {});
        return;
      }
      keys.push(request.headers['idempotency-key']);
      const problem = { code: 'idempotency_key_in_use', detail: 'The first request is still running.' };
      if (keys.length <= cutOff) {
        const status = keys.length === 1 ? 200 : 422;
        response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': '100' });
        response.write('{"remaining":', () => response.destroy());
      } else if (keys.length <= ofProxy)
        response.writeHead(502, { 'Retry-After': '0' }).end('<h1>Bad Gateway</h1>');
      else if (keys.length === 1) answer(409, problem, { 'Retry-After': '0' });
      else answer(200, { remaining: 500 });
    });
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const { port } = service.address() as AddressInfo;
  const { PATH = '' } = process.env;
  env = { PATH, TOLLGATE_URL: `http://127.0.0.1:${port}`, TOLLGATE_KEY: 'svc_test_x', PORT: '0' };
});

beforeEach(() => {
  keys = [];
  ofProxy = 0;
  cutOff = 0;
});

afterAll(async () => {
  service.closeAllConnections();
  await new Promise((closed) => service.close(closed));
});

test('the example in Python sends a use again under its key while the first request is under way', async () => {
  const calls = [path.join(SAAS, 'calls.py'), 'work', 'ada'];
  const { stdout } = await promisify(execFile)('python3', calls, { env });
  expect(stdout).toBe('left: 500\n');
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('the example in Python sends a use again after the answer of a proxy, and reports the last one', async () => {
  const calls = [path.join(SAAS, 'calls.py'), 'work', 'ada'];
  ofProxy = 2;
  expect((await promisify(execFile)('python3', calls, { env })).stdout).toBe('left: 500\n');
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
  keys = [];
  ofProxy = 4;
  await expect(promisify(execFile)('python3', calls, { env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^HTTP 502: This is not Tollgate's answer/) as string,
  });
});

test('the example in Python sends a use again whose answer is cut off', async () => {
  const calls = [path.join(SAAS, 'calls.py'), 'work', 'ada'];
  cutOff = 2;
  expect((await promisify(execFile)('python3', calls, { env })).stdout).toBe('left: 500\n');
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
});

test('the example in Python says that nothing answers', async () => {
  const calls = [path.join(SAAS, 'calls.py'), 'plans'];
  const down = { ...env, TOLLGATE_URL: 'http://127.0.0.1:1' };
  await expect(promisify(execFile)('python3', calls, { env: down })).rejects.toMatchObject({
    stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 has not answered: .*refused.*\n$/) as string,
  });
});

async function startProduct(): Promise<{ app: ChildProcess; url: string }> {
  const app = spawn(process.execPath, [path.join(SAAS, 'app.mjs')], { env });
  const [said] = (await once(app.stdout, 'data')) as [Buffer];
  return { app, url: /http:\S+/.exec(said.toString())?.[0] ?? '' };
}

/** Presses “Write a poem” in the product. */
async function work(): Promise<Response> {
  const { app, url } = await startProduct();
  try {
    return await send(`${url}/work`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: 'user=ada' },
      body: 'key=one',
    });
  } finally {
    app.kill();
    await once(app, 'close');
  }
}

test('the example product sends a use again', async () => {
  expect(await work()).toMatchObject({ status: 303 });
  expect(keys).toEqual(['one', 'one']);
});

test('the example product sends a use again whose answer is cut off, and reports the answer of a proxy', async () => {
  cutOff = 2;
  expect(await work()).toMatchObject({ status: 303 });
  expect(keys).toEqual(['one', 'one', 'one']);
  keys = [];
  cutOff = 0;
  ofProxy = 4;
  expect((await work()).text).toContain('not Tollgate&#39;s answer');
});

test.each(['saas/app.mjs', 'webhooks/receiver.mjs'])('%s says that its port is taken', async (example) => {
  const { port } = service.address() as AddressInfo;
  const program = path.join(SAAS, '..', example);
  const taken = { ...env, PORT: String(port), WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
  await expect(promisify(execFile)(process.execPath, [program], { env: taken })).rejects.toMatchObject({
    code: 1,
    stderr: `Port ${port} of 127.0.0.1 is taken: set PORT to another one.\n`,
  });
});

test('the example product waits for a checkout that was given up, until the provider has answered', async () => {
  const { app, url } = await startProduct();
  try {
    const { text } = await send(`${url}/`, { method: 'GET', headers: { Cookie: 'user=ada' } });
    expect(text).toContain('One moment');
  } finally {
    app.kill();
    await once(app, 'close');
  }
});
