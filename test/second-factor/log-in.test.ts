import { Client } from 'pg';
import { HOUR_MS } from '../../src/domain/instant';
import { deleteEndedSessions } from '../../src/maintenance/expired-rows-store';
import { untilLockWaits } from '../support/lock-waits';
import { createClient, logIn, logInAs, testPassword, type OperatorClient } from '../support/operator';
import { Authenticator, enrol, logInAgain, password, sendCode } from '../support/second-factor';
import { tokenOf } from '../support/secret-link';
import { useService } from '../support/use-service';

/** Logging in with a second factor, and every possible way around it. */
const service = useService();
afterEach(() => service.database.query('DELETE FROM tollgate.login_throttle'));

const none = { env: null } as const;
const whoAmI = (client: OperatorClient) => client.get('/api/auth/session', none);
const withCookie = (client: OperatorClient, cookie = '') =>
  createClient(service.urls.console, { ...client, cookie });

/** Holds the lock of the operator's row until `work` releases it or ends. */
async function whileLocked(
  { email }: OperatorClient,
  work: (release: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const holder = new Client({ connectionString: service.database.adminUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM tollgate.operators WHERE email = $1 FOR NO KEY UPDATE', [email]);
    await work(() => holder.query('COMMIT'));
  } finally {
    await holder.end();
  }
}

async function enrolled() {
  const client = await logIn(service, { role: 'owner' });
  return { client, ...(await enrol(service, client)) };
}

describe('an enrolment', () => {
  test('needs the password, so that a stolen session cannot put a factor of its own on the account', async () => {
    const client = await logIn(service, { role: 'owner' });
    const body = { password: 'not the password at all' };
    const begun = await client.post('/api/auth/second-factor', { ...none, body });
    expect(begun).toMatchObject({ status: 401, body: { code: 'password_wrong' } });
  });

  test('holds nothing up before it is confirmed by a code', async () => {
    const client = await logIn(service, { role: 'owner' });
    const begun = await client.post('/api/auth/second-factor', { ...none, body: { password: testPassword } });
    expect(begun.body['uri']).toContain(`secret=${String(begun.body['secret'])}`);
    expect((await password(service.urls.console, client.email)).status).toBe(200);
    const wrong = await client.post('/api/auth/second-factor/enrol', { ...none, body: { code: '000000' } });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'second_factor_failed' } });
    expect((await whoAmI(client)).body['secondFactor']).toEqual({ enrolled: false, confirmedAt: null });
  });

  test('is confirmed by the session that began it, within half an hour', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { cookies } = await password(service.urls.console, client.email);
    const other = withCookie(client, cookies[0]?.split(';')[0]);
    const begun = await client.post('/api/auth/second-factor', { ...none, body: { password: testPassword } });
    const app = new Authenticator(String(begun.body['secret']), service.clock);
    const confirm = (by: OperatorClient) =>
      by.post('/api/auth/second-factor/enrol', { ...none, body: { code: app.code() } });
    expect(await confirm(other)).toMatchObject({ status: 409, body: { code: 'second_factor_not_enrolled' } });
    service.clock.ahead += 30 * 60_000;
    expect(await confirm(client)).toMatchObject({
      status: 409,
      body: { code: 'second_factor_not_enrolled' },
    });
  });

  test('ends the other sessions, and cannot be overwritten', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { cookies } = await password(service.urls.console, client.email);
    const other = withCookie(client, cookies[0]?.split(';')[0]);
    await enrol(service, client);
    expect((await whoAmI(other)).status).toBe(401);
    const again = await client.post('/api/auth/second-factor', { ...none, body: { password: testPassword } });
    expect(again).toMatchObject({ status: 409, body: { code: 'second_factor_exists' } });
  });

  test('is not confirmed by a session that a change of the password ends meanwhile', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { cookies } = await password(service.urls.console, client.email);
    const stolen = withCookie(client, cookies[0]?.split(';')[0]);
    const begun = await stolen.post('/api/auth/second-factor', { ...none, body: { password: testPassword } });
    const app = new Authenticator(String(begun.body['secret']), service.clock);
    const newPassword = 'another password than before';
    const body = { currentPassword: testPassword, newPassword };
    await whileLocked(client, async (release) => {
      const changed = client.post('/api/auth/password', { ...none, body });
      await untilLockWaits(service.database);
      const confirmed = stolen.post('/api/auth/second-factor/enrol', {
        ...none,
        body: { code: app.code() },
      });
      await untilLockWaits(service.database, 2);
      await release();
      expect((await changed).status).toBe(204);
      expect(await confirmed).toMatchObject({ status: 401, body: { code: 'session_required' } });
    });
    expect(await logInAs(service.urls.console, client.email, newPassword)).not.toBe('');
  });

  test('leaves no secret and no code in the tables', async () => {
    const { app, recoveryCodes } = await enrolled();
    const rows = await service.database.query(
      `SELECT to_jsonb(f)::text AS row FROM tollgate.operator_second_factors f
       UNION ALL SELECT to_jsonb(c)::text FROM tollgate.operator_recovery_codes c
       UNION ALL SELECT to_jsonb(a)::text FROM tollgate.audit_records a
       UNION ALL SELECT to_jsonb(a)::text FROM tollgate.platform_audit a`,
    );
    const text = JSON.stringify(rows);
    expect(recoveryCodes).toHaveLength(10);
    for (const secret of [app.secret, Buffer.from(app.secret).toString('hex'), ...recoveryCodes]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(secret.replaceAll('-', ''));
    }
  });
});

describe('a log-in', () => {
  test('takes the password and then a code; the challenge between them opens nothing', async () => {
    const { client, app } = await enrolled();
    const { status, token, cookies } = await password(service.urls.console, client.email);
    expect({ status, cookies }).toEqual({ status: 202, cookies: [] });
    expect((await whoAmI(withCookie(client, `tollgate_session=${token}`))).status).toBe(401);
    const done = await sendCode(service.urls.console, token, app.next());
    expect(done.status).toBe(200);
    const session = await whoAmI(withCookie(client, done.cookies[0]));
    expect(session.body['secondFactor']).toMatchObject({ enrolled: true });
    expect((session.body['secondFactor'] as { confirmedAt: unknown }).confirmedAt).not.toBeNull();
    // And the first step can be used only once.
    expect(await sendCode(service.urls.console, token, app.next())).toMatchObject({
      status: 401,
      code: 'login_challenge_invalid',
    });
  });

  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('accepts the code of the time step %i: %i', async (steps, expected) => {
    const { client, app } = await enrolled();
    service.clock.ahead += 5 * 30_000;
    app.awaitStep();
    const { token } = await password(service.urls.console, client.email);
    expect((await sendCode(service.urls.console, token, app.code(steps))).status).toBe(expected);
  });

  test('accepts no code twice, and none from before one that was accepted', async () => {
    const { client, app } = await enrolled();
    const code = app.next();
    await logInAgain(service, client, code);
    const { token } = await password(service.urls.console, client.email);
    for (const old of [code, app.code(-1)]) {
      expect(await sendCode(service.urls.console, token, old)).toMatchObject({
        status: 401,
        code: 'second_factor_failed',
      });
    }
    expect((await sendCode(service.urls.console, token, app.next())).status).toBe(200);
  });

  test('of two with the same code at once, one is let in', async () => {
    const { client, app } = await enrolled();
    const first = await password(service.urls.console, client.email);
    const second = await password(service.urls.console, client.email);
    const code = app.next();
    const answers = await Promise.all(
      [first, second, first, second].map(({ token }) => sendCode(service.urls.console, token, code)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a recovery code works once, even for two at once', async () => {
    const { client, recoveryCodes } = await enrolled();
    const [code = '', other = ''] = recoveryCodes;
    const first = await password(service.urls.console, client.email);
    const second = await password(service.urls.console, client.email);
    const answers = await Promise.all(
      [first, second].map(({ token }) => sendCode(service.urls.console, token, code)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    // Typed as people type it.
    const third = await password(service.urls.console, client.email);
    const typed = other.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o');
    const done = await sendCode(service.urls.console, third.token, typed);
    expect(done.status).toBe(200);
    const read = await withCookie(client, done.cookies[0]).get('/api/auth/second-factor', none);
    expect(read.body['recoveryCodesLeft']).toBe(8);
  });

  test('the first step ends after five minutes, and with a change of the password', async () => {
    const { client, app } = await enrolled();
    const late = await password(service.urls.console, client.email);
    service.clock.ahead += 5 * 60_000;
    expect((await sendCode(service.urls.console, late.token, app.next())).status).toBe(401);
    const pending = await password(service.urls.console, client.email);
    const again = await logInAgain(service, client, app.next());
    const newPassword = 'another horse, another battery';
    const changed = await again.post('/api/auth/password', {
      ...none,
      body: { currentPassword: testPassword, newPassword },
    });
    expect(changed.status).toBe(204);
    expect(await sendCode(service.urls.console, pending.token, app.next())).toMatchObject({
      status: 401,
      code: 'login_challenge_invalid',
    });
  });
});

describe('guessing codes', () => {
  test('is limited for all unknown browsers together, whatever challenges they have; a known browser is not affected', async () => {
    const { client, app } = await enrolled();
    const first = await password(service.urls.console, client.email);
    const { cookies } = await sendCode(service.urls.console, first.token, app.next());
    const device = { Cookie: cookies[1] ?? '' };
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      const { token } = await password(service.urls.console, client.email);
      statuses.push((await sendCode(service.urls.console, token, '000000')).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const stranger = await password(service.urls.console, client.email);
    const right = app.next();
    expect((await sendCode(service.urls.console, stranger.token, right)).status).toBe(429);
    expect((await sendCode(service.urls.console, stranger.token, right, device)).status).toBe(200);
  });

  test('a browser that became known by the password only is unknown once there is a second factor', async () => {
    const client = await logIn(service, { role: 'owner' });
    const before = await password(service.urls.console, client.email);
    const device = { Cookie: before.cookies[1]?.split(';')[0] ?? '' };
    expect(device.Cookie).toContain('tollgate_device=');
    await enrol(service, client);
    const { token } = await password(service.urls.console, client.email);
    for (let guess = 0; guess < 10; guess += 1)
      expect((await sendCode(service.urls.console, token, '000000')).status).toBe(401);
    expect((await sendCode(service.urls.console, token, '000000', device)).status).toBe(429);
  });

  test('a known browser’s log-in is not ended by however many that strangers begin with the password', async () => {
    const { client, app } = await enrolled();
    const first = await password(service.urls.console, client.email);
    const { cookies } = await sendCode(service.urls.console, first.token, app.next());
    const device = { Cookie: cookies[1] ?? '' };
    const known = await password(service.urls.console, client.email, device);
    const stranger = await password(service.urls.console, client.email);
    for (let begun = 0; begun < 20; begun += 1) await password(service.urls.console, client.email);
    const [right, wrong] = [app.next(), '000000'];
    expect(await sendCode(service.urls.console, stranger.token, wrong)).toMatchObject({
      status: 401,
      code: 'login_challenge_invalid',
    });
    expect((await sendCode(service.urls.console, known.token, right, device)).status).toBe(200);
  });

  test('at once is bounded as well', async () => {
    const { client } = await enrolled();
    const { token } = await password(service.urls.console, client.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sendCode(service.urls.console, token, '000000')),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  });

  test('does not include codes that cannot be compared', async () => {
    const { client, app } = await enrolled();
    const confirm = () =>
      client.post('/api/auth/second-factor/confirm', { ...none, body: { code: app.next() } });
    const flip = () =>
      service.database.query(
        `UPDATE tollgate.operator_second_factors SET envelope = set_byte(envelope, n, get_byte(envelope, n) # 1)
           FROM (SELECT operator_id AS of, length(envelope) - 1 AS n FROM tollgate.operator_second_factors) AS last
          WHERE operator_id = of AND operator_id = $1`,
        [client.operatorId],
      );
    await flip();
    for (let tried = 0; tried < 11; tried += 1)
      expect((await confirm()).body['code']).toBe('credential_corrupt');
    await flip();
    expect((await confirm()).status).toBe(200);
  });

  test('by a session is limited for that session only', async () => {
    const { client, app } = await enrolled();
    const other = await logInAgain(service, client, app.next());
    const confirm = (by: OperatorClient, code: string) =>
      by.post('/api/auth/second-factor/confirm', { ...none, body: { code } });
    for (let guess = 0; guess < 10; guess += 1) expect((await confirm(other, '000000')).status).toBe(401);
    expect((await confirm(other, app.next())).status).toBe(429);
    expect((await confirm(client, app.next())).status).toBe(200);
  });
});

describe('turning it off', () => {
  test('needs the password and a code, and then the password is enough to log in', async () => {
    const { client, app } = await enrolled();
    const disable = (sent: { password: string; code: string }) =>
      client.post('/api/auth/second-factor/disable', { ...none, body: sent });
    expect((await disable({ password: 'not the password at all', code: app.next() })).status).toBe(401);
    expect((await disable({ password: testPassword, code: '000000' })).status).toBe(401);
    expect((await disable({ password: testPassword, code: app.next() })).status).toBe(204);
    expect((await password(service.urls.console, client.email)).status).toBe(200);
    expect((await whoAmI(client)).body['secondFactor']).toEqual({ enrolled: false, confirmedAt: null });
  });

  test('new recovery codes end the old ones', async () => {
    const { client, app, recoveryCodes } = await enrolled();
    const renewed = await client.post('/api/auth/second-factor/recovery-codes', {
      ...none,
      body: { code: app.next() },
    });
    const codes = renewed.body['recoveryCodes'] as string[];
    const { token } = await password(service.urls.console, client.email);
    expect((await sendCode(service.urls.console, token, recoveryCodes[0] ?? '')).status).toBe(401);
    expect((await sendCode(service.urls.console, token, codes[0] ?? '')).status).toBe(200);
  });
});

describe('an invitation', () => {
  async function invited(to: { email: string }) {
    const owner = await logIn(service, { role: 'owner' });
    const members = `/api/organizations/${owner.workspaceId}/members`;
    const made = await owner.post(members, { ...none, body: { email: to.email, role: 'viewer' } });
    const token = tokenOf(made.body['link']);
    const joined = async () =>
      JSON.stringify((await owner.get(members, none)).body['data']).includes(to.email);
    return { owner, token, joined };
  }
  const anonymous = () =>
    createClient(service.urls.console, { operatorId: '', email: '', workspaceId: '', cookie: '' });
  async function accept(token: string): Promise<string> {
    const body = { token, password: testPassword };
    const answer = await anonymous().post('/api/auth/invitations/accept', { ...none, body });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([202, null]);
    return (answer.body['secondFactor'] as { token: string }).token;
  }
  const finish = (token: string, secondFactor: { token: string; code: string }) =>
    anonymous().post('/api/auth/invitations/accept/second-factor', {
      ...none,
      body: { token, secondFactor },
    });

  test('does not let an operator with a second factor join by the password only, and lets them join and log in by a code', async () => {
    const { client, app } = await enrolled();
    const { owner, token, joined } = await invited(client);
    const challenge = await accept(token);
    expect(await joined()).toBe(false);
    const wrong = await finish(token, { token: challenge, code: '000000' });
    expect([wrong.status, wrong.body['code']]).toEqual([401, 'second_factor_failed']);
    expect(await joined()).toBe(false);
    const done = await finish(token, { token: challenge, code: app.next() });
    expect([done.status, done.body['organizationId']]).toEqual([200, owner.workspaceId]);
    expect(done.headers.getSetCookie()).toHaveLength(2);
    expect(await joined()).toBe(true);
    const audit = await owner.get('/api/audit', { query: { action: 'member.joined' } });
    expect(audit.body['data']).toMatchObject([{ target: client.operatorId }]);
    expect((await finish(token, { token: challenge, code: app.next() })).body['code']).toBe(
      'login_challenge_invalid',
    );
  });

  test('to another address is refused, and one that was revoked meanwhile opens no session', async () => {
    const [{ client, app }, other] = [await enrolled(), await logIn(service)];
    const theirs = await invited(other);
    const own = await invited(client);
    const challenge = await accept(own.token);
    const sessions = async () =>
      ((await client.get('/api/auth/sessions', none)).body['data'] as { id: string }[]).map(
        ({ id: one }) => one,
      );
    const before = await sessions();
    const crossed = await finish(theirs.token, { token: challenge, code: app.next() });
    expect([crossed.status, crossed.body['code']]).toEqual([404, 'invitation_invalid']);
    expect([await theirs.joined(), await own.joined()]).toEqual([false, false]);
    const { body } = await own.owner.get(`/api/organizations/${own.owner.workspaceId}/invitations`, none);
    const [invitation] = body['data'] as { id: string }[];
    const path = `/api/organizations/${own.owner.workspaceId}/invitations/${invitation?.id ?? ''}`;
    expect((await own.owner.delete(path, none)).status).toBe(204);
    const late = await finish(own.token, { token: challenge, code: app.next() });
    expect([late.status, late.body['code']]).toEqual([404, 'invitation_invalid']);
    expect(await sessions()).toEqual(before);
  });
});

test.each([
  ['/api/auth/password', { currentPassword: testPassword, newPassword: 'another password than before' }],
  ['/api/auth/second-factor/recovery-codes', {}],
  ['/api/auth/second-factor/disable', { password: testPassword }],
])('a session that ends meanwhile changes nothing: %s', async (path, more) => {
  const { client, app } = await enrolled();
  await whileLocked(client, async (release) => {
    const body = path.endsWith('/password') ? more : { ...more, code: app.next() };
    const changed = client.post(path, { ...none, body });
    await untilLockWaits(service.database);
    expect((await client.post('/api/auth/logout', none)).status).toBe(204);
    await release();
    expect(await changed).toMatchObject({ status: 401, body: { code: 'session_required' } });
  });
  // The password and the second factor are as before.
  expect((await logInAgain(service, client, app.next())).cookie).not.toBe('');
});

test('each act is in the audit of the organization', async () => {
  const { client, app } = await enrolled();
  await client.post('/api/auth/second-factor/confirm', { ...none, body: { code: app.next() } });
  const sent = { password: testPassword, code: app.next() };
  await client.post('/api/auth/second-factor/disable', { ...none, body: sent });
  const { body } = await client.get('/api/audit', { query: { take: '20' } });
  expect((body['data'] as { action: string }[]).map(({ action }) => action)).toEqual([
    'operator.second_factor_disabled',
    'operator.second_factor_confirmed',
    'operator.second_factor_enrolled',
  ]);
});

test('sessions show where they were opened and where they were last used', async () => {
  const client = await logIn(service);
  service.clock.ahead += 61_000;
  await whoAmI(client);
  const { body } = await client.get('/api/auth/sessions', none);
  expect(body['data']).toMatchObject([{ current: true, ip: '127.0.0.1', lastIp: '127.0.0.1' }]);
});

test('an enrolment that was never confirmed goes with its session, also where maintain deletes that', async () => {
  const client = await logIn(service);
  await client.post('/api/auth/second-factor', { ...none, body: { password: testPassword } });
  const pending = () =>
    service.database.query('SELECT FROM tollgate.operator_second_factors WHERE operator_id = $1', [
      client.operatorId,
    ]);
  expect(await pending()).toHaveLength(1);
  await service.database.query(
    'UPDATE tollgate.operator_sessions SET revoked_at = now() WHERE operator_id = $1',
    [client.operatorId],
  );
  const later = service.clock.now() + HOUR_MS;
  await deleteEndedSessions(service.open('tollgate_worker', 1), later, later);
  expect(await pending()).toEqual([]);
});
