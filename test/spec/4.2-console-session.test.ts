import { Client } from 'pg';
import { ADDRESS_FAILURES } from '../../src/operators/login-throttle';
import { hashPassword } from '../../src/operators/password';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from '../../src/operators/session-service';
import {
  createClient,
  createOperator,
  logIn,
  logInAs,
  testPassword,
  type OperatorClient,
} from '../support/operator';
import { until } from '../support/until';
import { useService } from '../support/use-service';

/** Section 4.2: the console's paths run on the console host and need an operator's session. */
const service = useService();
afterEach(async () => {
  service.clock.ahead = 0;
  await service.database.query('DELETE FROM tollgate.login_throttle');
});

function attempt(email: string, password: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.urls.console}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  });
}

async function codeOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { code?: unknown }).code;
}

const whoAmI = (client: OperatorClient) => client.get('/api/auth/session', { env: null });

describe('a session', () => {
  test('returns who is logged in and their organizations', async () => {
    const client = await logIn(service, { role: 'developer' });
    const answer = await whoAmI(client);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      operator: { id: client.operatorId, email: client.email, isPlatformAdministrator: false },
      organizations: [{ id: client.workspaceId, role: 'developer' }],
    });
  });

  test('has a cookie that scripts cannot read and other sites cannot send', async () => {
    const { email } = await createOperator(service.database);
    const answer = await attempt(email, testPassword);
    const [session, device] = answer.headers.getSetCookie();
    expect(session).toMatch(/^tollgate_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(device).toMatch(/^tollgate_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/);
    expect(await answer.text()).not.toContain('password');
  });

  test('is stored as a hash, so the table opens nothing', async () => {
    const client = await logIn(service);
    const [, token = ''] = client.cookie.split('=');
    const rows = await service.database.query(
      'SELECT to_jsonb(s)::text AS row FROM tollgate.operator_sessions s',
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(token).toHaveLength(43);
  });

  test('gets a new id at each log-in, and the one the browser came with ends', async () => {
    const client = await logIn(service);
    const answer = await attempt(client.email, testPassword, { Cookie: client.cookie });
    const renewed = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(renewed).not.toBe(client.cookie);
    expect((await whoAmI(client)).status).toBe(401);
    expect((await whoAmI(createClient(service.urls.console, { ...client, cookie: renewed }))).status).toBe(
      200,
    );
  });

  test('ends on the server at log-out', async () => {
    const client = await logIn(service);
    const answer = await client.post('/api/auth/logout', { env: null });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^tollgate_session=;.*Max-Age=0/);
    expect(await whoAmI(client)).toMatchObject({ status: 401, body: { code: 'session_required' } });
  });

  test.each([
    ['after 12 hours without use', SESSION_IDLE_MS + 1],
    ['after 7 days, used or not', SESSION_ABSOLUTE_MS + 1],
  ])('ends %s', async (_name, ahead) => {
    const client = await logIn(service);
    service.clock.ahead = ahead;
    expect((await whoAmI(client)).status).toBe(401);
  });

  test('lives on while it is used, but not beyond its end', async () => {
    const client = await logIn(service);
    const step = SESSION_IDLE_MS - 60_000;
    for (let ahead = step; ahead < SESSION_ABSOLUTE_MS; ahead += step) {
      service.clock.ahead = ahead;
      expect((await whoAmI(client)).status).toBe(200);
    }
    service.clock.ahead = SESSION_ABSOLUTE_MS + 1;
    expect((await whoAmI(client)).status).toBe(401);
  });

  test('is written at most once a minute', async () => {
    const client = await logIn(service);
    const lastSeen = async (): Promise<unknown> =>
      (await client.get('/api/auth/sessions', { env: null })).body['data'];
    const first = await lastSeen();
    service.clock.ahead = 30_000;
    expect(await lastSeen()).toEqual(first);
    service.clock.ahead = 61_000;
    await whoAmI(client);
    expect(await lastSeen()).not.toEqual(first);
  });

  test('can be seen and ended from another one, but not by another operator', async () => {
    const client = await logIn(service);
    const other = createClient(service.urls.console, {
      ...client,
      cookie: await logInAs(service.urls.console, client.email, testPassword),
    });
    const { body } = await other.get('/api/auth/sessions', { env: null });
    const sessions = body['data'] as { id: string; current: boolean }[];
    expect(sessions.map((session) => session.current)).toEqual([true, false]);
    const path = `/api/auth/sessions/${sessions[1]?.id ?? ''}`;
    const stranger = await logIn(service);
    expect(await stranger.delete(path, { env: null })).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    });
    expect((await whoAmI(client)).status).toBe(200);
    expect((await other.delete(path, { env: null })).status).toBe(204);
    expect((await whoAmI(client)).status).toBe(401);
  });

  test('of another process ends with it', async () => {
    const client = await logIn(service);
    const second = await service.another();
    const there = createClient(second.urls.console, client);
    expect((await whoAmI(there)).status).toBe(200);
    await client.post('/api/auth/logout', { env: null });
    expect((await whoAmI(there)).status).toBe(401);
  });

  test.each([
    '',
    'tollgate_session=',
    'tollgate_session=x',
    `tollgate_session=${'A'.repeat(43)}`,
    'tollgate_session=%00',
  ])('is not %p', async (cookie) => {
    const client = createClient(service.urls.console, { operatorId: '', email: '', workspaceId: '', cookie });
    expect(await whoAmI(client)).toMatchObject({ status: 401, body: { code: 'session_required' } });
  });
});

describe('a password', () => {
  test('is changed with the old one; every other session ends and this one gets a new id', async () => {
    const client = await logIn(service, { role: 'viewer' });
    const elsewhere = createClient(service.urls.console, {
      ...client,
      cookie: await logInAs(service.urls.console, client.email, testPassword),
    });
    const newPassword = 'another long passphrase';
    const change = (currentPassword: string) =>
      client.post('/api/auth/password', { env: null, body: { currentPassword, newPassword } });
    expect(await change('not the password')).toMatchObject({ status: 401, body: { code: 'password_wrong' } });
    const answer = await change(testPassword);
    expect(answer.status).toBe(204);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await whoAmI(client)).status).toBe(401);
    expect((await whoAmI(elsewhere)).status).toBe(401);
    expect((await whoAmI(createClient(service.urls.console, { ...client, cookie }))).status).toBe(200);
    expect((await attempt(client.email, testPassword)).status).toBe(401);
    expect((await attempt(client.email, newPassword)).status).toBe(200);
    const records = await service.database.query(
      "SELECT target FROM tollgate.audit_records WHERE workspace_id = $1 AND action = 'operator.password_changed'",
      [client.workspaceId],
    );
    expect(records).toEqual([{ target: client.operatorId }]);
  });

  test.each(['short', 'aaaaaaaaaaaaaaaa', 'x'.repeat(201)])('is not %p', async (newPassword) => {
    const client = await logIn(service);
    const answer = await client.post('/api/auth/password', {
      env: null,
      body: { currentPassword: testPassword, newPassword },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/newPassword' }] },
    });
  });

  test('is stored as argon2id with 19 MiB, two passes and one lane', async () => {
    const client = await logIn(service);
    const body = { currentPassword: testPassword, newPassword: 'another long passphrase' };
    expect((await client.post('/api/auth/password', { env: null, body })).status).toBe(204);
    const [row] = await service.database.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM tollgate.operators WHERE id = $1',
      [client.operatorId],
    );
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('that is wrong and an account that is unknown get the same answer', async () => {
    const { email } = await createOperator(service.database);
    const wrong = await attempt(email, 'not the password');
    const unknown = await attempt('nobody@example.test', 'not the password');
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const problems = [await wrong.json(), await unknown.json()] as { requestId: string }[];
    const [one, other] = problems.map((problem) => ({ ...problem, requestId: '' }));
    expect(one).toEqual(other);
  });

  test('is asked for with the e-mail address in any case', async () => {
    const { email } = await createOperator(service.database);
    expect((await attempt(email.toUpperCase(), testPassword)).status).toBe(200);
  });
});

describe('a change that a page of another origin asks for', () => {
  test.each<[string, Record<string, string>, number]>([
    ['no browser', {}, 200],
    ['the console’s public origin', { Origin: 'http://console.test' }, 200],
    ['another site', { Origin: 'https://evil.test' }, 403],
    ['an opaque origin', { Origin: 'null' }, 403],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1' }, 403],
    ['a browser that says so', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    [
      'a browser that says so, with our origin',
      { Origin: 'http://console.test', 'Sec-Fetch-Site': 'cross-site' },
      403,
    ],
    ['a sibling host', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['a page of ours', { 'Sec-Fetch-Site': 'same-origin' }, 200],
  ])('%s', async (_name, headers, status) => {
    const { email } = await createOperator(service.database);
    const answer = await attempt(email, testPassword, headers);
    expect(answer.status).toBe(status);
    if (status === 403) expect(await codeOf(answer)).toBe('origin_forbidden');
  });

  test('is refused for every unsafe method, before anything is read; reading is not', async () => {
    const client = await logIn(service, { role: 'owner' });
    const headers = { Origin: 'https://evil.test' };
    for (const send of [client.post, client.put, client.patch, client.delete]) {
      const answer = await send('/api/billing/settings', { headers, body: {} });
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin_forbidden' } });
    }
    expect((await client.get('/api/billing/settings', { headers })).status).toBe(200);
  });

  test('does not get through as text', async () => {
    const { email } = await createOperator(service.database);
    const answer = await attempt(email, testPassword, { 'Content-Type': 'text/plain' });
    expect(answer.status).toBe(415);
  });
});

describe('a changed password', () => {
  /** Returns whether a query waits for the operator's row. */
  const waits = async (): Promise<boolean> => {
    const rows = await service.database.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%operators%'",
    );
    return rows.length > 0;
  };
  const setPassword = (row: Client, hash: string, email: string) =>
    row.query('UPDATE tollgate.operators SET password_hash = $1 WHERE email = $2', [hash, email]);

  test.each([
    ['log-in', 'login_failed'],
    ['change', 'password_wrong'],
  ])('leaves nothing of a %s that had proved the one before it', async (what, code) => {
    const { email } = await createOperator(service.database);
    const hash = await hashPassword(email, 'another horse battery staple');
    const session = (await attempt(email, testPassword)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const row = new Client({ connectionString: service.database.adminUrl });
    await row.connect();
    try {
      await row.query('BEGIN');
      await setPassword(row, hash, email);
      const late =
        what === 'log-in'
          ? attempt(email, testPassword)
          : fetch(`${service.urls.console}/api/auth/password`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', Cookie: session },
              body: JSON.stringify({
                currentPassword: testPassword,
                newPassword: 'a third horse altogether',
              }),
            });
      await until(waits);
      await row.query('COMMIT');
      const answer = await late;
      expect(answer.status).toBe(401);
      expect(await codeOf(answer)).toBe(code);
      expect(answer.headers.getSetCookie()).toEqual([]);
    } finally {
      await row.end();
    }
    const [operator] = await service.database.query<{ password_hash: string }>(
      `SELECT password_hash FROM tollgate.operators WHERE email = '${email}'`,
    );
    expect(operator?.password_hash).toBe(hash);
  });
});

// Last, because this process caches that the address is blocked.
describe('guessing', () => {
  test('at one account is looked at 10 times, from wherever and at once, and the right password waits too', async () => {
    const { email } = await createOperator(service.database);
    const answers = await Promise.all(Array.from({ length: 40 }, () => attempt(email, 'a wrong guess')));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    const late = await attempt(email, testPassword);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    expect(await codeOf(late)).toBe('login_throttled');
  });

  test('is counted once for an address, however its letters are written', async () => {
    const { email } = await createOperator(service.database, { email: 'ιδίασ.vivien@example.test' });
    // Spellings that Postgres considers the same address: a dotted capital I, and a final sigma.
    const spellings = [email, email.replaceAll('i', 'İ'), email.toUpperCase(), email.replace('vi', 'vİ')];
    for (const spelling of spellings) expect((await attempt(spelling, testPassword)).status).toBe(200);
    const guesses = Array.from({ length: 10 }, () => spellings).flat();
    const answers = await Promise.all(guesses.map((spelling) => attempt(spelling, 'a wrong guess')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    await service.database.query('DELETE FROM tollgate.login_throttle');
  });

  test('holds up neither a browser that has logged in before nor a session, until the password is changed', async () => {
    const { email } = await createOperator(service.database);
    const first = await attempt(email, testPassword);
    const [session = '', device = ''] = first.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    await Promise.all(Array.from({ length: 12 }, () => attempt(email, 'a wrong guess')));
    expect((await attempt(email, testPassword)).status).toBe(429);
    const { email: stranger } = await createOperator(service.database);
    const ofStranger = (await attempt(stranger, testPassword)).headers.getSetCookie()[1]?.split(';')[0] ?? '';
    expect((await attempt(email, testPassword, { Cookie: ofStranger })).status).toBe(429);
    expect((await attempt(email, testPassword, { Cookie: device })).status).toBe(200);
    const newPassword = 'another horse battery staple';
    const changed = await fetch(`${service.urls.console}/api/auth/password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: session },
      body: JSON.stringify({ currentPassword: testPassword, newPassword }),
    });
    expect(changed.status).toBe(204);
    expect((await attempt(email, newPassword, { Cookie: device })).status).toBe(429);
    const present = changed.headers.getSetCookie()[1]?.split(';')[0] ?? '';
    expect((await attempt(email, newPassword, { Cookie: present })).status).toBe(200);
    const rows = await service.database.query(
      'SELECT to_jsonb(d)::text AS row FROM tollgate.operator_devices d',
    );
    expect(JSON.stringify(rows)).not.toContain(present.split('=')[1]);
    await service.database.query('DELETE FROM tollgate.login_throttle');
  });

  test('does not count what was right', async () => {
    const { email } = await createOperator(service.database);
    for (let round = 0; round < 15; round += 1) expect((await attempt(email, testPassword)).status).toBe(200);
    const [row] = await service.database.query<{ points: number }>(
      'SELECT coalesce(sum(points), 0)::int AS points FROM tollgate.login_throttle',
    );
    expect(row?.points).toBe(0);
  });

  test('at many accounts from one address ends, too, and what it sends is not read', async () => {
    const [known, other] = [await createOperator(service.database), await createOperator(service.database)];
    const first = await attempt(known.email, testPassword);
    const device = first.headers.getSetCookie()[1]?.split(';')[0] ?? '';
    await service.database.query('DELETE FROM tollgate.login_throttle');
    await service.database.query('INSERT INTO tollgate.login_throttle VALUES ($1, $2, $3)', [
      'address:127.0.0.1',
      ADDRESS_FAILURES,
      Date.now() + 15 * 60_000,
    ]);
    expect((await attempt(known.email, testPassword)).status).toBe(429);
    expect((await attempt('no address', testPassword)).status).toBe(429);
    // A browser that has logged in before can continue, for its own account.
    const withDevice = { Cookie: device };
    expect((await attempt('no address', testPassword, withDevice)).status).toBe(400);
    expect((await attempt(other.email, testPassword, withDevice)).status).toBe(429);
    expect((await attempt(known.email, testPassword, withDevice)).status).toBe(200);
    expect((await attempt(known.email, testPassword, withDevice)).status).toBe(429);
  });
});
