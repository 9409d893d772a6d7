import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { send } from '../support/send';

/** The example product, whose customers send what none of its forms would. The key may act on every customer. */
const APP = path.join(__dirname, '..', '..', 'examples', 'saas', 'app.mjs');

const RESOURCES: Readonly<Record<string, object>> = {
  '/v1/subscriptions/sub_ada': { externalId: 'ada' },
  '/v1/subscriptions/sub_bob': { externalId: 'bob' },
  '/v1/checkouts/chk_bob': { externalId: 'bob' },
  '/v1/customers/ada': { id: 'cus_ada' },
  '/v1/operations/op_checkout_of_ada': answered(null, 'cus_ada', { url: 'http://provider.test/pay' }),
  '/v1/operations/op_checkout_of_bob': answered(null, 'cus_bob', { url: 'http://provider.test/pay' }),
  '/v1/operations/op_change_of_ada': answered('sub_ada', 'sub_ada', {
    approvalUrl: 'http://provider.test/approve',
  }),
  '/v1/operations/op_change_of_bob': answered('sub_bob', 'sub_bob', {
    approvalUrl: 'http://provider.test/approve',
  }),
  '/v1/operations/op_refused_of_bob': {
    ...answered('sub_bob', 'sub_bob', {}),
    problem: { detail: 'The card of bob has expired.' },
  },
  '/v1/operations/op_refused_checkout_of_bob': {
    ...answered(null, 'cus_bob', {}),
    problem: { detail: 'The card of bob has expired.' },
  },
};

function answered(subscriptionId: string | null, targetId: string, body: object): object {
  return { subscriptionId, targetId, problem: null, status: 'succeeded', answer: { body } };
}

let service: Server;
let app: ChildProcess;
let url: string;
/** What the product has told Tollgate to do. */
let commands: string[];
beforeAll(async () => {
  service = createServer((request, response) => {
    const resource = RESOURCES[request.url ?? ''];
    if (request.method !== 'GET') commands.push(`${request.method} ${request.url}`);
    const found = request.method !== 'GET' || resource !== undefined;
    request.resume().once('end', () => {
      response
        .writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(resource ?? { detail: 'There is none.' }));
    });
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const { port } = service.address() as AddressInfo;
  const { PATH = '' } = process.env;
  const settings = { TOLLGATE_URL: `http://127.0.0.1:${port}`, TOLLGATE_KEY: 'svc_test_x', PORT: '0' };
  app = spawn(process.execPath, [APP], { env: { PATH, ...settings } });
  const [said] = (await once(app.stdout ?? app, 'data')) as [Buffer];
  url = /http:\S+/.exec(said.toString())?.[0] ?? '';
});
beforeEach(() => {
  commands = [];
});
afterAll(async () => {
  app.kill();
  service.closeAllConnections();
  await new Promise((closed) => service.close(closed));
});

const post = (address: string, form: Record<string, string>, user: string | null = 'ada') =>
  send(url + address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(user === null ? {} : { Cookie: `user=${user}` }),
    },
    body: new URLSearchParams(form).toString(),
  });

const get = (address: string) => send(url + address, { method: 'GET', headers: { Cookie: 'user=ada' } });

test.each([
  ['/cancel', { subscription: 'sub_bob' }],
  ['/reactivate', { subscription: 'sub_bob' }],
  ['/change', { subscription: 'sub_bob', plan: 'scale' }],
  ['/expire', { checkout: 'chk_bob' }],
  ['/cancel', { subscription: 'sub_none' }],
  ['/cancel', { subscription: '../customers/bob/portal-sessions?' }],
  ['/change', { subscription: '..%2frefunds?', plan: 'scale' }],
  ['/expire', { checkout: '../webhook-endpoints/whe_1/roll?' }],
])('%s of %j does nothing for another customer', async (address, form) => {
  expect((await post(address, { ...form, key: 'one' })).status).toBeGreaterThanOrEqual(400);
  expect(commands).toEqual([]);
});

test('a customer cancels their own subscription, and nobody does who is not signed in', async () => {
  const form = { subscription: 'sub_ada', key: 'one' };
  expect(await post('/cancel', { ...form, user: 'ada' }, null)).toMatchObject({ status: 303 });
  expect(commands).toEqual([]);
  expect(await post('/cancel', form)).toMatchObject({ status: 303 });
  expect(commands).toEqual(['POST /v1/subscriptions/sub_ada/cancel']);
});

test('another customer’s preview, payment and refusal are not shown', async () => {
  for (const address of [
    '/preview?subscription=sub_bob&plan=scale',
    '/wait?operation=op_checkout_of_bob',
    '/wait?operation=op_change_of_bob',
    '/wait?operation=op_refused_of_bob',
    '/wait?operation=op_refused_checkout_of_bob',
  ]) {
    const { status, headers, text } = await get(address);
    expect([address, status, headers.get('Location')]).toEqual([address, 500, null]);
    expect(text).toContain('This is not yours.');
  }
  expect(commands).toEqual([]);
  for (const [operation, to] of [
    ['op_change_of_ada', 'http://provider.test/approve'],
    ['op_checkout_of_ada', 'http://provider.test/pay'],
  ]) {
    const { headers } = await get(`/wait?operation=${operation}`);
    expect(headers.get('Location')).toBe(to);
  }
});

test('an address is no other property of what it is looked up in, and a form writes no page', async () => {
  for (const address of ['/constructor', '/__proto__', '/toString', '/hasOwnProperty']) {
    const { status, text } = await post(address, { page: '<script>alert(1)</script>', user: 'ada' });
    expect([address, status, text]).toEqual([address, 303, '']);
  }
});

test('a name that is none signs nobody in, and the product goes on', async () => {
  for (const user of ['密', 'a b', 'ada; Path=/admin', 'ada\r\nX: y', '']) {
    expect(await post('/sign-in', { user })).toMatchObject({ status: 303 });
  }
  expect(commands).toEqual([]);
  expect((await post('/sign-in', { user: 'eve' }, null)).status).toBe(303);
  expect(commands).toEqual(['PUT /v1/customers/eve']);
});
