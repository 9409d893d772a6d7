import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { Client } from 'pg';
import type { Answer } from '../support/integrator';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { untilTaken } from '../support/until-taken';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';

/** The limits of a key over HTTP, on the hot path's own handler and on Koa's. */
let bench: UsageWorkspace;
let admin: OperatorClient;
let externalId: string;
beforeEach(async () => {
  bench = await UsageWorkspace.start();
  admin = await logIn(bench.service, { role: 'admin', workspaceId: bench.workspace.workspaceId });
  ({ externalId } = await bench.customer({ feature: 'tokens', quota: 1_000 }));
});
afterEach(() => bench.stop());

const check = () => bench.api.check(externalId, 'tokens');
const read = () => bench.api.send('GET', `/v1/customers/${externalId}`);

async function set(body: object): Promise<void> {
  const answer = await admin.patch('/api/billing/settings', { body });
  expect([answer.status, answer.body]).toMatchObject([200, body]);
}
/** Waits until a setting is in force: a running process reads it within seconds. */
async function inForce(policy: string): Promise<void> {
  await until(async () => (await read()).headers.get('ratelimit-policy')?.includes(policy) === true);
}

test('each answer says what is left, granted or refused', async () => {
  for (const answer of [await check(), await read(), await bench.api.check('nobody', 'tokens')]) {
    expect(answer.headers.get('ratelimit-policy')).toBe(
      '"second";q=5000;w=1, "concurrent";q=2000;qu="concurrent-requests"',
    );
    expect(answer.headers.get('ratelimit')).toMatch(/^"second";r=49\d\d;t=1$/);
  }
  const anonymous = await new Integrator(bench.service.urls.sandbox, 'svc_test_wrong').check('x', 'tokens');
  expect([anonymous.status, anonymous.headers.get('ratelimit')]).toEqual([401, null]);
});

test('requests beyond the second’s limit are refused, do nothing, and succeed when they are sent again', async () => {
  await set({ keyRequestsPerSecond: 1 });
  await inForce('"second";q=1;');
  const track = (key: string) => bench.api.track(externalId, 'tokens', 1, key);
  const keys = Array.from({ length: 6 }, () => randomUUID());
  let refusal: Answer | undefined;
  for (const key of keys) {
    await until(async () => {
      const [first, second] = await Promise.all([track(key), track(key)]);
      refusal ??= [first, second].find(({ status }) => status === 429);
      return [first, second].some(({ status }) => status === 200);
    });
  }
  expect([
    refusal?.body,
    refusal?.headers.get('retry-after'),
    refusal?.headers.get('ratelimit'),
  ]).toMatchObject([{ code: 'rate_limited', limit: 'requestsPerSecond' }, '1', '"second";r=0;t=1']);
  await set({ keyRequestsPerSecond: 5_000 });
  await inForce('"second";q=5000;');
  expect(await bench.usageOf(externalId, 'tokens')).toBe(keys.length);
});

test('no more requests are in progress than the limit; another key is not affected', async () => {
  await set({ keyConcurrentRequests: 2 });
  await inForce('"concurrent";q=2;');
  const lock = new Client({ connectionString: bench.service.database.url('tollgate_migrator') });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE tollgate.customers IN ACCESS EXCLUSIVE MODE');
  // Each waits for the table no longer than a lock may take, and is sent again.
  const held = [untilTaken(check), untilTaken(read)];
  try {
    const refused = async (call: () => Promise<Answer>): Promise<Answer> => {
      for (;;) {
        const answer = await Promise.race([call(), ...held.map((one) => one.then(() => undefined))]);
        if (answer?.status === 429) return answer;
      }
    };
    // Both handlers are at the limit as soon as the two requests have arrived.
    const plans = () => bench.api.send('GET', '/v1/events?take=1');
    expect((await refused(plans)).body).toMatchObject({ code: 'rate_limited', limit: 'concurrentRequests' });
    expect((await refused(check)).body).toMatchObject({ code: 'rate_limited', limit: 'concurrentRequests' });
    const other = await createKey(bench.service.database, bench.workspace.sandbox, ['events']);
    const others = await new Integrator(bench.service.urls.sandbox, other).send('GET', '/v1/events?take=1');
    expect(others.status).toBe(200);
  } finally {
    await lock.query('ROLLBACK');
    await lock.end();
  }
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await check()).status).toBe(200);
});

test('a caller that goes away in the middle of a body gives its place back', async () => {
  await set({ keyConcurrentRequests: 3 });
  await inForce('"concurrent";q=3;');
  const { hostname, port } = new URL(bench.service.urls.sandbox);
  const abandon = async (line: string): Promise<void> => {
    const socket = connect(Number(port), hostname);
    const lines = [
      `${line} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${bench.api.key}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    ];
    await new Promise((sent) => socket.write(`${lines.join('\r\n')}\r\n\r\n{"externalId":`, sent));
    socket.resetAndDestroy();
  };
  for (let round = 0; round < 8; round += 1) {
    await Promise.all([abandon('POST /v1/usage/check'), abandon(`PUT /v1/customers/${externalId}`)]);
  }
  // All three places are free again.
  await until(async () => {
    const answers = await Promise.all([check(), read(), check()]);
    return answers.every(({ status }) => status === 200);
  });
});

test('a second process has half, and the first learns of it', async () => {
  const { api, urls } = await bench.service.another();
  const policyAt = async (url: string): Promise<string | null> =>
    (await new Integrator(url, bench.api.key).check(externalId, 'tokens')).headers.get('ratelimit-policy');
  await until(async () => (await policyAt(urls.sandbox))?.includes('"second";q=2500;') === true);
  await until(
    async () => (await policyAt(bench.service.urls.sandbox))?.includes('"second";q=2500;') === true,
  );
  await api.stop();
  await until(
    async () => (await policyAt(bench.service.urls.sandbox))?.includes('"second";q=5000;') === true,
  );
});

test.each([{ keyRequestsPerSecond: 0 }, { keyConcurrentRequests: 1_000_001 }, { keyRequestsPerSecond: 1.5 }])(
  '%j is no setting',
  async (body) => {
    expect((await admin.patch('/api/billing/settings', { body })).status).toBe(400);
  },
);
