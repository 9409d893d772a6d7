import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { send } from '../support/send';

const SAAS = path.join(__dirname, '..', '..', 'examples', 'saas');

/** Grants every check, and answers the first track as if its first request was still in progress. */
let service: Server;
let env: Record<string, string>;
let keys: unknown[];

beforeAll(async () => {
  service = createServer((request, response) => {
    const answer = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    };
    request.resume().once('end', () => {
      if (request.url === '/v1/usage/check') {
        answer(200, { allowed: true });
        return;
      }
      keys.push(request.headers['idempotency-key']);
      const problem = { code: 'idempotency_key_in_use', detail: 'The first request is still running.' };
      if (keys.length === 1) answer(409, problem, { 'Retry-After': '0' });
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

test('so does the example product', async () => {
  const app = spawn(process.execPath, [path.join(SAAS, 'app.mjs')], { env });
  try {
    const [said] = (await once(app.stdout, 'data')) as [Buffer];
    const url = /http:\S+/.exec(said.toString())?.[0] ?? '';
    const worked = await send(`${url}/work`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: 'user=ada' },
      body: 'key=one',
    });
    expect(worked).toMatchObject({ status: 303 });
    expect(keys).toEqual(['one', 'one']);
  } finally {
    app.kill();
    await once(app, 'close');
  }
});
