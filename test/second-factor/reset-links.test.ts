import { Client } from 'pg';
import { DAY_MS } from '../../src/domain/instant';
import { resetOperator } from '../../src/account-security/reset-operator';
import { EntryPoint } from '../support/entry-point';
import { untilLockWaits } from '../support/lock-waits';
import {
  createClient,
  createOperator,
  logIn,
  logInAs,
  testPassword,
  type OperatorClient,
} from '../support/operator';
import { Authenticator, enrol, password, sendCode } from '../support/second-factor';
import { tokenOf } from '../support/secret-link';
import { useService } from '../support/use-service';

/**
 * Links with which an owner lets a member back in, and ways in which they could be abused to take over another account.
 */
const service = useService();
afterEach(() => service.database.query('DELETE FROM tollgate.login_throttle'));

const none = { env: null } as const;
const newPassword = 'another horse, another battery';

const issue = (by: OperatorClient, operatorId: string) =>
  by.post(`/api/organizations/${by.workspaceId}/members/${operatorId}/reset-link`, none);
const anonymous = () =>
  createClient(service.urls.console, { operatorId: '', email: '', workspaceId: '', cookie: '' });
const use = (token: string, by = anonymous()) =>
  by.post('/api/auth/reset-links/use', { ...none, body: { token, password: newPassword } });
const look = (token: string, by = anonymous()) =>
  by.post('/api/auth/reset-links/look-up', { ...none, body: { token } });

async function organization() {
  const owner = await logIn(service, { role: 'owner' });
  const member = await logIn(service, { role: 'developer', workspaceId: owner.workspaceId });
  return { owner, member };
}

async function linkFor(owner: OperatorClient, member: { operatorId: string }): Promise<string> {
  const { status, body } = await issue(owner, member.operatorId);
  if (status !== 201) throw new Error(`The link was answered ${status}.`);
  return tokenOf(body['link']);
}

test('a member who lost both gets in again with a new password and without a second factor', async () => {
  const { owner, member } = await organization();
  await enrol(service, member);
  const waiting = await password(service.urls.console, member.email);
  const token = await linkFor(owner, member);
  expect(await look(token)).toMatchObject({ status: 200, body: { email: member.email } });
  expect(await use(token)).toMatchObject({ status: 200, body: { email: member.email } });
  expect((await member.get('/api/auth/session', none)).status).toBe(401);
  expect((await sendCode(service.urls.console, waiting.token, '000000')).code).toBe(
    'login_challenge_invalid',
  );
  expect((await password(service.urls.console, member.email)).status).toBe(401);
  expect(await logInAs(service.urls.console, member.email, newPassword)).not.toBe('');
  const { body } = await owner.get('/api/audit');
  expect((body['data'] as object[]).slice(0, 2)).toMatchObject([
    {
      action: 'operator.reset',
      target: member.operatorId,
      detail: { issuedBy: owner.operatorId, secondFactorRemoved: true, sessionsEnded: 1 },
    },
    { action: 'operator.reset_link_issued', target: member.operatorId },
  ]);
});

test('a link that is used while its member changes the password does not undo the change', async () => {
  const { owner, member } = await organization();
  const token = await linkFor(owner, member);
  const clients = [1, 2].map(() => new Client({ connectionString: service.database.adminUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  const [organizations, change] = clients as [Client, Client];
  try {
    await organizations.query('BEGIN');
    await organizations.query('SELECT FROM tollgate.organizations WHERE workspace_id = $1 FOR UPDATE', [
      owner.workspaceId,
    ]);
    const used = use(token);
    await untilLockWaits(service.database);
    await change.query('BEGIN');
    await change.query('UPDATE tollgate.operators SET password_changed_at = now() WHERE id = $1', [
      member.operatorId,
    ]);
    await organizations.query('COMMIT');
    await untilLockWaits(service.database);
    await change.query('COMMIT');
    expect(await used).toMatchObject({ status: 404, body: { code: 'reset_link_invalid' } });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  expect(await logInAs(service.urls.console, member.email, testPassword)).not.toBe('');
});

test('a link works once, also of two at once, and for a day', async () => {
  const { owner, member } = await organization();
  const token = await linkFor(owner, member);
  const answers = await Promise.all([use(token), use(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(await look(token)).toMatchObject({ status: 404, body: { code: 'reset_link_invalid' } });
  const late = await linkFor(owner, member);
  service.clock.ahead += DAY_MS;
  expect(await use(late)).toMatchObject({ status: 404, body: { code: 'reset_link_invalid' } });
});

test('a newer link ends the earlier one, and only a hash is stored', async () => {
  const { owner, member } = await organization();
  const [old, token] = [await linkFor(owner, member), await linkFor(owner, member)];
  expect((await use(old)).status).toBe(404);
  const rows = await service.database.query(
    'SELECT to_jsonb(l)::text AS row FROM tollgate.member_reset_links l',
  );
  expect(JSON.stringify(rows)).not.toContain(token);
  expect((await use(token)).status).toBe(200);
});

test.each(['member', 'installation'] as const)('a password that the %s changes ends a link', async (by) => {
  const { owner, member } = await organization();
  const token = await linkFor(owner, member);
  service.clock.ahead += 1_000;
  if (by === 'member') {
    const body = { currentPassword: testPassword, newPassword };
    expect((await member.post('/api/auth/password', { ...none, body })).status).toBe(204);
  } else {
    const database = service.open('tollgate_app', 1);
    const now = service.clock.now();
    await resetOperator(database, { email: member.email, password: { chosen: newPassword }, now });
  }
  for (const answer of [await look(token), await use(token)])
    expect(answer).toMatchObject({ status: 404, body: { code: 'reset_link_invalid' } });
  expect(await logInAs(service.urls.console, member.email, newPassword)).not.toBe('');
  const again = await linkFor(owner, member);
  expect((await use(again)).status).toBe(200);
});

test('only an owner creates one, and none for themselves', async () => {
  const { owner, member } = await organization();
  const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
  expect(await issue(admin, member.operatorId)).toMatchObject({ body: { code: 'role_forbidden' } });
  const own = await issue(owner, owner.operatorId);
  expect(own).toMatchObject({ status: 403, body: { code: 'reset_link_refused' } });
  expect(String(own.body['detail'])).toContain('another owner');
  const stranger = await logIn(service, { role: 'owner' });
  expect(await issue(owner, stranger.operatorId)).toMatchObject({ body: { code: 'operator_not_found' } });
});

describe('an owner cannot become', () => {
  test('somebody who also belongs to another organization', async () => {
    const { owner, member } = await organization();
    const elsewhere = await logIn(service, { role: 'owner' });
    await joins(member.operatorId, elsewhere.workspaceId);
    const refused = await issue(owner, member.operatorId);
    expect(refused).toMatchObject({ status: 403, body: { code: 'reset_link_refused' } });
    expect(String(refused.body['detail'])).toContain('npm run operator:reset');
  });

  test('somebody who joins another organization before the link is used', async () => {
    const { owner, member } = await organization();
    const token = await linkFor(owner, member);
    const elsewhere = await logIn(service, { role: 'owner' });
    await joins(member.operatorId, elsewhere.workspaceId);
    expect(await use(token)).toMatchObject({ status: 403, body: { code: 'reset_link_refused' } });
    expect(await look(token)).toMatchObject({ status: 403 });
    expect((await member.get('/api/auth/session', none)).status).toBe(200);
  });

  test('a platform administrator', async () => {
    const { owner } = await organization();
    const { operatorId } = await createOperator(service.database, {
      platformAdministrator: true,
      role: 'viewer',
      workspaceId: owner.workspaceId,
    });
    expect(await issue(owner, operatorId)).toMatchObject({
      status: 403,
      body: { code: 'reset_link_refused' },
    });
  });

  test('somebody who was removed, or was removed and joined again', async () => {
    const { owner, member } = await organization();
    const token = await linkFor(owner, member);
    await owner.delete(`/api/organizations/${owner.workspaceId}/members/${member.operatorId}`, none);
    expect((await use(token)).status).toBe(404);
    service.clock.ahead += 1_000;
    await joins(member.operatorId, owner.workspaceId);
    expect((await use(token)).status).toBe(404);
  });

  test('by a link from when its issuer was an owner', async () => {
    const { owner, member } = await organization();
    const other = await logIn(service, { role: 'owner', workspaceId: owner.workspaceId });
    const token = await linkFor(other, member);
    const path = `/api/organizations/${owner.workspaceId}/members/${other.operatorId}`;
    await owner.patch(path, { ...none, body: { role: 'admin' } });
    expect((await use(token)).status).toBe(404);
    await owner.patch(path, { ...none, body: { role: 'owner' } });
    expect((await use(token)).status).toBe(404);
  });
});

test('a reset does not affect an operator who joins another organization at the same moment', async () => {
  const { owner, member } = await organization();
  const elsewhere = await logIn(service, { role: 'owner' });
  const invited = await elsewhere.post(`/api/organizations/${elsewhere.workspaceId}/members`, {
    ...none,
    body: { email: member.email, role: 'admin' },
  });
  const invitation = tokenOf(invited.body['link']);
  const token = await linkFor(owner, member);
  const accept = anonymous().post('/api/auth/invitations/accept', {
    ...none,
    body: { token: invitation, password: 'correct horse battery staple' },
  });
  const [joined, reset] = await Promise.all([accept, use(token)]);
  // Both would give the owner an account of the other organization.
  const done = [joined.status === 200, reset.status === 200];
  expect(done.filter(Boolean)).toHaveLength(1);
});

test.each(['link', 'command'] as const)(
  'who was locked out by wrong codes gets in after a reset by %s, and sets up a second factor anew',
  async (by) => {
    const { owner, member } = await organization();
    await enrol(service, member);
    const guess = async () =>
      (
        await sendCode(
          service.urls.console,
          (await password(service.urls.console, member.email)).token,
          '000000',
        )
      ).code;
    for (let wrong = 0; wrong < 10; wrong += 1) expect(await guess()).toBe('second_factor_failed');
    expect(await guess()).toBe('login_throttled');
    if (by === 'link') {
      expect((await use(await linkFor(owner, member))).status).toBe(200);
    } else {
      const chosen = { chosen: newPassword };
      const database = service.open('tollgate_app', 1);
      await resetOperator(database, { email: member.email, password: chosen, now: service.clock.now() });
    }
    const cookie = await logInAs(service.urls.console, member.email, newPassword);
    const back = createClient(service.urls.console, { ...member, cookie });
    const begun = await back.post('/api/auth/second-factor', { ...none, body: { password: newPassword } });
    const app = new Authenticator(String(begun.body['secret']), service.clock);
    const done = await back.post('/api/auth/second-factor/enrol', { ...none, body: { code: app.code() } });
    expect(done.status).toBe(200);
    // From an unknown browser, the source of the wrong codes.
    const again = await anonymous().post('/api/auth/login', {
      ...none,
      body: { email: member.email, password: newPassword },
    });
    const { token } = again.body['secondFactor'] as { token: string };
    expect((await sendCode(service.urls.console, token, app.next())).status).toBe(200);
  },
);

test('in a browser where somebody else is logged in, it is refused with words', async () => {
  const { owner, member } = await organization();
  const token = await linkFor(owner, member);
  for (const answer of [await look(token, owner), await use(token, owner)]) {
    expect(answer).toMatchObject({ status: 409, body: { code: 'reset_link_other_session' } });
    expect(String(answer.body['detail'])).toContain(member.email);
  }
  expect((await use(token, member)).status).toBe(200);
});

test('guessing links is bounded', async () => {
  const statuses = new Set<number>();
  for (let guess = 0; guess < 101; guess += 1) statuses.add((await look('x'.repeat(43))).status);
  expect([...statuses]).toEqual([404, 429]);
});

test('the administrator of the installation can reset any operator, which is audited', async () => {
  const owner = await logIn(service, { role: 'owner', platformAdministrator: true });
  await enrol(service, owner);
  const run = async (args: string[]) => {
    const environment = { TOLLGATE_DATABASE_URL: service.database.url('tollgate_app') };
    const command = new EntryPoint('operator-reset', environment, { args });
    return { code: (await command.exit).code, output: command.output };
  };
  const [reset, unknown] = await Promise.all([
    run(['--email', owner.email, '--new-password']),
    run(['--email', 'nobody@example.test']),
  ]);
  expect(reset).toMatchObject({ code: 0, output: expect.stringMatching(/removed[\s\S]*1 ended/) as string });
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('No operator') as string });
  const generated = /Password +([\w-]{24}) /.exec(reset.output)?.[1] ?? '';
  expect(await logInAs(service.urls.console, owner.email, generated)).not.toBe('');
  const records = await service.database.query(
    "SELECT reason, operator_id FROM tollgate.audit_records WHERE action = 'operator.reset' AND target = $1",
    [owner.operatorId],
  );
  expect(records).toEqual([{ reason: 'SYSTEM', operator_id: null }]);
});

async function joins(operatorId: string, workspaceId: string): Promise<void> {
  await service.database.query(
    "INSERT INTO tollgate.organization_members (workspace_id, operator_id, role, created_at) VALUES ($1, $2, 'viewer', $3)",
    [workspaceId, operatorId, new Date(service.clock.now())],
  );
}
