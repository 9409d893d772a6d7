import { request } from 'node:http';
import { DAY_MS } from '../../src/domain/instant';
import { ACCOUNT_ATTEMPTS } from '../../src/operators/login-throttle';
import { Integrator } from '../support/integrator';
import {
  createClient,
  createOperator,
  logIn,
  logInAs,
  testPassword,
  type OperatorClient,
} from '../support/operator';
import { createWorkspace } from '../support/workspace';
import { password } from '../support/second-factor';
import { tokenOf } from '../support/secret-link';
import { useService } from '../support/use-service';

const service = useService();
afterEach(() => {
  service.clock.ahead = 0;
});

const none = { env: null } as const;
const anonymous = (): OperatorClient =>
  createClient(service.urls.console, { operatorId: '', email: '', workspaceId: '', cookie: '' });

async function auditedActions(workspaceId: string): Promise<string[]> {
  const rows = await service.database.query<{ action: string }>(
    'SELECT action FROM tollgate.audit_records WHERE workspace_id = $1 ORDER BY id',
    [workspaceId],
  );
  return rows.map((row) => row.action);
}

/** Invites and returns the link's token. */
async function invite(client: OperatorClient, email: string, role = 'developer'): Promise<string> {
  const answer = await client.post(`/api/organizations/${client.workspaceId}/members`, {
    ...none,
    body: { email, role },
  });
  expect(answer.status).toBe(201);
  const link = String(answer.body['link']);
  expect(link).toMatch(/^http:\/\/console\.test\/invite#[\w-]{43}$/);
  return tokenOf(link);
}

const look = (token: string) =>
  anonymous().post('/api/auth/invitations/look-up', { ...none, body: { token } });
const accept = (body: object) => anonymous().post('/api/auth/invitations/accept', { ...none, body });

describe('an organization', () => {
  test('is made by a platform administrator, who owns it, with settings for both environments', async () => {
    const client = await logIn(service, { platformAdministrator: true });
    const answer = await client.post('/api/organizations', { ...none, body: { name: 'Zoë & Söhne GmbH' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'Zoë & Söhne GmbH', slug: 'zoe-sohne-gmbh', role: 'owner' });
    const organizationId = String(answer.body['id']);
    for (const env of ['sandbox', 'production'] as const) {
      const settings = await client.get('/api/billing/settings', { organizationId, env });
      expect(settings).toMatchObject({
        status: 200,
        body: {
          defaultCurrency: 'USD',
          timeZone: 'UTC',
          taxBehavior: 'none',
          taxRates: [],
          invoiceProfile: {},
          defaultProvider: 'internal',
          pastDueAfterDays: 7,
          graceDays: 7,
          expireAfterDays: 30,
        },
      });
    }
    expect(await auditedActions(organizationId)).toEqual(['organization.created']);
    const mine = await client.get('/api/organizations', none);
    expect(mine.body).toMatchObject({ data: [{ id: organizationId, role: 'owner' }], hasMore: false });
  });

  test('gets another slug when its own is taken, unless that one was asked for', async () => {
    const client = await logIn(service, { platformAdministrator: true });
    const make = (body: object) => client.post('/api/organizations', { ...none, body });
    expect((await make({ name: 'Twice' })).body['slug']).toBe('twice');
    expect((await make({ name: 'Twice' })).body['slug']).toMatch(/^twice-[0-9a-f]{8}$/);
    expect(await make({ name: 'Twice', slug: 'twice' })).toMatchObject({
      status: 409,
      body: { code: 'resource_conflict' },
    });
    expect((await make({ name: '株式会社' })).body['slug']).toBe('organization');
  });

  test('is renamed by an admin', async () => {
    const client = await logIn(service, { role: 'admin' });
    const path = `/api/organizations/${client.workspaceId}`;
    expect((await client.patch(path, { ...none, body: { name: 'New name' } })).body).toMatchObject({
      name: 'New name',
    });
    // The same name again, as after a lost answer, is no change.
    expect((await client.patch(path, { ...none, body: { name: 'New name' } })).status).toBe(200);
    expect((await client.get(path, none)).body).toMatchObject({ name: 'New name', role: 'admin' });
    expect(await auditedActions(client.workspaceId)).toEqual(['organization.renamed']);
  });
});

describe('an invitation', () => {
  test('makes an account, once', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const token = await invite(owner, 'new@example.test');
    expect((await look(token)).body).toMatchObject({
      organizationName: 'Acme',
      email: 'new@example.test',
      role: 'developer',
      hasAccount: false,
    });
    const answer = await accept({ token, name: 'New', password: 'a long enough password' });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const joined = createClient(service.urls.console, { ...owner, cookie });
    expect((await joined.get(`/api/organizations/${owner.workspaceId}`, none)).body).toMatchObject({
      role: 'developer',
    });
    expect(await accept({ token, name: 'New', password: 'a long enough password' })).toMatchObject({
      status: 404,
      body: { code: 'invitation_invalid' },
    });
    expect((await look(token)).status).toBe(404);
    expect(await auditedActions(owner.workspaceId)).toEqual(['invitation.created', 'member.joined']);
  });

  test('is used by one of many who accept at once', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const token = await invite(owner, 'race@example.test');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        accept({ token, name: 'Racer', password: `a long enough password ${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('lets an account join after its password, and a wrong one does not use it up', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const { email, operatorId } = await createOperator(service.database);
    const token = await invite(owner, email.toUpperCase(), 'viewer');
    expect((await look(token)).body).toMatchObject({
      hasAccount: true,
    });
    expect(await accept({ token, password: 'not the password' })).toMatchObject({
      status: 401,
      body: { code: 'login_failed' },
    });
    expect(await accept({ token, password: testPassword })).toMatchObject({
      status: 200,
      body: { operator: { id: operatorId } },
    });
  });

  test('is accepted in a browser that has logged in before, however much strangers guess', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const { email } = await createOperator(service.database);
    const { cookies } = await password(service.urls.console, email);
    const device = { Cookie: cookies[1]?.split(';')[0] ?? '' };
    const token = await invite(owner, email);
    const guess = () => accept({ token, password: 'not the password' });
    for (let guessed = 0; guessed < ACCOUNT_ATTEMPTS; guessed += 1) expect((await guess()).status).toBe(401);
    const body = { token, password: testPassword };
    expect(await accept(body)).toMatchObject({ status: 429, body: { code: 'login_throttled' } });
    const known = await anonymous().post('/api/auth/invitations/accept', { ...none, body, headers: device });
    expect(known.status).toBe(200);
  });

  test('is refused without a name, with a weak password, and for an unknown or damaged token', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const token = await invite(owner, 'weak@example.test');
    const refused = async (body: object): Promise<unknown> => {
      const answer = await accept(body);
      return [answer.status, answer.body['code']];
    };
    expect(await refused({ token, password: 'a long enough password' })).toEqual([400, 'validation_failed']);
    expect(await refused({ token, name: 'W', password: 'short' })).toEqual([400, 'validation_failed']);
    expect(await refused({ token: `${token}x`, name: 'W', password: 'a long enough password' })).toEqual([
      404,
      'invitation_invalid',
    ]);
  });

  test('ends after 7 days, when it is revoked, and when another one goes to the same address', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const status = async (token: string): Promise<number> => (await look(token)).status;
    const first = await invite(owner, 'again@example.test');
    const second = await invite(owner, 'Again@example.test');
    expect([await status(first), await status(second)]).toEqual([404, 200]);

    const list = `/api/organizations/${owner.workspaceId}/invitations`;
    const open = (await owner.get(list, none)).body['data'] as { id: string }[];
    expect(open).toHaveLength(1);
    expect(JSON.stringify(open)).not.toContain(second);
    const path = `${list}/${open[0]?.id ?? ''}`;
    expect((await owner.delete(path, none)).status).toBe(204);
    expect(await owner.delete(path, none)).toMatchObject({
      status: 404,
      body: { code: 'invitation_not_found' },
    });
    expect(await status(second)).toBe(404);

    const third = await invite(owner, 'again@example.test');
    service.clock.ahead = 7 * DAY_MS + 1;
    expect(await status(third)).toBe(404);
  });

  test('is not for a member, and not to be had as an owner from an admin', async () => {
    const admin = await logIn(service, { role: 'admin' });
    const path = `/api/organizations/${admin.workspaceId}/members`;
    const ask = (email: string, role: string) => admin.post(path, { ...none, body: { email, role } });
    expect(await ask(admin.email, 'viewer')).toMatchObject({
      status: 409,
      body: { code: 'resource_conflict' },
    });
    expect(await ask('boss@example.test', 'owner')).toMatchObject({
      status: 403,
      body: { requiredRole: 'owner', role: 'admin' },
    });
    expect((await ask('boss@example.test', 'emperor')).status).toBe(400);
  });

  test('keeps only a hash of its token', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const token = await invite(owner, 'hash@example.test');
    const rows = await service.database.query(
      'SELECT to_jsonb(i)::text AS row FROM tollgate.member_invitations i',
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    const audit = await service.database.query('SELECT detail FROM tollgate.audit_records');
    expect(JSON.stringify(audit)).not.toContain(token);
  });
});

describe('a member', () => {
  const memberPath = (client: OperatorClient, operatorId: string): string =>
    `/api/organizations/${client.workspaceId}/members/${operatorId}`;

  test('changes role and loses it at once', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const member = await logIn(service, { role: 'viewer', workspaceId: owner.workspaceId });
    expect((await member.patch('/api/billing/settings', { body: { graceDays: 8 } })).status).toBe(403);
    expect(
      (await owner.patch(memberPath(owner, member.operatorId), { ...none, body: { role: 'admin' } })).status,
    ).toBe(200);
    expect((await member.patch('/api/billing/settings', { body: { graceDays: 8 } })).status).toBe(200);
    expect((await owner.delete(memberPath(owner, member.operatorId), none)).status).toBe(200);
    expect(await member.get('/api/billing/settings')).toMatchObject({
      status: 401,
      body: { code: 'session_required' },
    });
    const cookie = await logInAs(service.urls.console, member.email, testPassword);
    expect(
      await createClient(service.urls.console, { ...member, cookie }).get('/api/billing/settings'),
    ).toMatchObject({ status: 404, body: { code: 'organization_forbidden' } });
    expect(await auditedActions(owner.workspaceId)).toEqual([
      'member.role_changed',
      'settings.changed',
      'member.removed',
    ]);
  });

  test('an admin cannot change an owner', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    const other = await logIn(service, { role: 'viewer', workspaceId: owner.workspaceId });
    expect(
      (await admin.patch(memberPath(owner, owner.operatorId), { ...none, body: { role: 'viewer' } })).status,
    ).toBe(403);
    expect((await admin.delete(memberPath(owner, owner.operatorId), none)).status).toBe(403);
    expect(
      (await admin.patch(memberPath(owner, other.operatorId), { ...none, body: { role: 'owner' } })).status,
    ).toBe(403);
    expect(
      (await admin.patch(memberPath(owner, admin.operatorId), { ...none, body: { role: 'owner' } })).status,
    ).toBe(403);
    expect(
      (await admin.patch(memberPath(owner, other.operatorId), { ...none, body: { role: 'admin' } })).status,
    ).toBe(200);
  });

  test('may leave, unless it is the last owner', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const viewer = await logIn(service, { role: 'viewer', workspaceId: owner.workspaceId });
    expect((await viewer.delete(memberPath(owner, owner.operatorId), none)).status).toBe(403);
    expect((await viewer.delete(memberPath(owner, viewer.operatorId), none)).status).toBe(200);
    // A member that leaves stays logged in, but no longer belongs to any organization here.
    expect((await viewer.get('/api/organizations', none)).body).toEqual({ data: [], hasMore: false });
    const refusal = { status: 409, body: { code: 'last_owner' } };
    expect(await owner.delete(memberPath(owner, owner.operatorId), none)).toMatchObject(refusal);
    expect(
      await owner.patch(memberPath(owner, owner.operatorId), { ...none, body: { role: 'admin' } }),
    ).toMatchObject(refusal);
    expect((await owner.delete(memberPath(owner, 'opr_unknown'), none)).body).toMatchObject({
      code: 'operator_not_found',
    });
  });

  test('two owners who take each other out at once leave one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { workspaceId } = await createWorkspace(service.database);
      const one = await logIn(service, { role: 'owner', workspaceId });
      const other = await logIn(service, { role: 'owner', workspaceId });
      const answers = await Promise.all([
        one.delete(memberPath(one, one.operatorId), none),
        other.delete(memberPath(one, other.operatorId), none),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  test('lists who joined and when, for members only', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const path = `/api/organizations/${owner.workspaceId}/members`;
    expect((await owner.get(path, none)).body).toMatchObject({
      data: [{ id: owner.operatorId, email: owner.email, name: 'Test Operator', role: 'owner' }],
    });
    const stranger = await logIn(service, { role: 'owner', platformAdministrator: true });
    expect(await stranger.get(path, none)).toMatchObject({
      status: 404,
      body: { code: 'organization_forbidden' },
    });
    expect((await stranger.get('/api/organizations/org_unknown/members', none)).body).toMatchObject({
      code: 'organization_forbidden',
    });
  });
});

describe('a right that was lost', () => {
  const memberPath = (client: OperatorClient, operatorId: string): string =>
    `/api/organizations/${client.workspaceId}/members/${operatorId}`;
  const setRole = (client: OperatorClient, operatorId: string, role: string) =>
    client.patch(memberPath(client, operatorId), { ...none, body: { role } });
  const remove = (client: OperatorClient, operatorId: string) =>
    client.delete(memberPath(client, operatorId), none);
  const newAccount = { name: 'Back again', password: 'a long enough password' };
  const openTo = async (client: OperatorClient): Promise<string[]> => {
    const answer = await client.get(`/api/organizations/${client.workspaceId}/invitations`, none);
    return (answer.body['data'] as { email: string }[]).map(({ email }) => email);
  };
  const refusal = { status: 404, body: { code: 'invitation_invalid' } };

  test('leaves a removed admin no invitation to come back by', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    const token = await invite(admin, 'back@example.test', 'admin');
    const others = await invite(owner, 'kept@example.test', 'viewer');
    const removal = await remove(owner, admin.operatorId);
    expect(removal).toMatchObject({
      status: 200,
      body: {
        id: admin.operatorId,
        role: 'admin',
        ended: { invitations: [{ email: 'back@example.test', role: 'admin' }], sessions: 1 },
      },
    });
    expect((await look(token)).status).toBe(404);
    expect(await accept({ token, ...newAccount })).toMatchObject(refusal);
    expect(await openTo(owner)).toEqual(['kept@example.test']);
    expect((await accept({ token: others, ...newAccount })).status).toBe(200);
    expect(await admin.get('/api/auth/session', none)).toMatchObject({ status: 401 });
  });

  test('leaves a demoted admin the invitations up to the role that is left, and no session', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    const above = await invite(admin, 'above@example.test', 'admin');
    await invite(admin, 'up-to@example.test', 'developer');
    expect(await setRole(owner, admin.operatorId, 'developer')).toMatchObject({
      status: 200,
      body: { role: 'developer', ended: { invitations: [{ email: 'above@example.test' }], sessions: 1 } },
    });
    expect(await accept({ token: above, ...newAccount })).toMatchObject(refusal);
    expect(await openTo(owner)).toEqual(['up-to@example.test']);
    expect((await admin.get('/api/auth/session', none)).status).toBe(401);
    // More rights end nothing.
    expect(await setRole(owner, admin.operatorId, 'admin')).toMatchObject({
      body: { ended: { invitations: [], sessions: 0 }, review: [] },
    });
  });

  test('is judged again when an invitation is accepted, whatever has happened to the invitation', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    const token = await invite(admin, 'stale@example.test', 'admin');
    const set = (role: string) =>
      service.database.query(
        'UPDATE tollgate.organization_members SET role = $3 WHERE workspace_id = $1 AND operator_id = $2',
        [owner.workspaceId, admin.operatorId, role],
      );
    await set('viewer');
    expect(await accept({ token, ...newAccount })).toMatchObject(refusal);
    expect(await openTo(owner)).toEqual([]);
    await set('admin');
    expect((await accept({ token, ...newAccount })).status).toBe(200);
  });

  test('ends an invitation to the removed member’s own address', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const { email, operatorId } = await createOperator(service.database);
    const token = await invite(owner, email);
    await service.database.query(
      "INSERT INTO tollgate.organization_members (workspace_id, operator_id, role, created_at) VALUES ($1, $2, 'viewer', now())",
      [owner.workspaceId, operatorId],
    );
    expect(await accept({ token, password: testPassword })).toMatchObject({ status: 409 });
    expect((await remove(owner, operatorId)).status).toBe(200);
    expect(await accept({ token, password: testPassword })).toMatchObject(refusal);
  });

  test('and an acceptance at the same moment leave no member by it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const owner = await logIn(service, { role: 'owner' });
      const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
      const token = await invite(admin, `race-${round}@example.test`, 'admin');
      const [accepted, removed] = await Promise.all([
        accept({ token, ...newAccount }),
        remove(owner, admin.operatorId),
      ]);
      expect(removed.status).toBe(200);
      // An invitation accepted before the removal was still within the inviter's rights; the removal then lists the new
      // member for review.
      const joined = (removed.body['review'] as { kind: string }[]).map(({ kind }) => kind);
      expect(joined).toEqual(accepted.status === 200 ? ['member'] : []);
      if (accepted.status !== 200) expect(accepted).toMatchObject(refusal);
    }
  });

  test('by two admins who demote each other at once is lost by one', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const { workspaceId } = owner;
    for (let round = 0; round < 4; round += 1) {
      const one = await logIn(service, { role: 'admin', workspaceId });
      const other = await logIn(service, { role: 'admin', workspaceId });
      const answers = await Promise.all([
        setRole(one, other.operatorId, 'viewer'),
        setRole(other, one.operatorId, 'viewer'),
      ]);
      const [first, second] = answers.map(({ status }) => status).sort();
      expect(first).toBe(200);
      // 401: the first demotion had ended the other's session before that request was checked.
      expect([401, 403]).toContain(second);
    }
  });

  test('shows the keys and connections that keep working, for a decision', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    const made: string[] = [];
    for (const env of ['sandbox', 'production'] as const) {
      const key = await admin.post('/api/api-keys', { env, body: { name: `${env} key` } });
      const connection = await admin.post('/api/provider-connections', {
        env,
        body: { provider: 'provider_b', displayName: `${env} B`, secrets: { webhookId: `WH-${env}` } },
      });
      expect([key.status, connection.status]).toEqual([201, 201]);
      made.push(String(key.body['id']), String(connection.body['id']));
    }
    await owner.post('/api/api-keys', { body: { name: 'of the owner' } });
    const revoked = await admin.post('/api/api-keys', { body: { name: 'revoked' } });
    await admin.post(`/api/api-keys/${String(revoked.body['id'])}/revoke`);
    const review = `/api/organizations/${owner.workspaceId}/access-review`;
    expect((await owner.get(review, none)).body).toEqual({ data: [], hasMore: false });

    const removal = await remove(owner, admin.operatorId);
    const listed = removal.body['review'] as { id: string; name: string }[];
    expect(listed.map(({ id }) => id).sort()).toEqual(made.sort());
    expect(listed).toContainEqual(
      expect.objectContaining({
        kind: 'api_key',
        environment: 'production',
        name: 'production key',
        madeBy: admin.operatorId,
        madeByName: expect.any(String) as string,
        parts: null,
        advice: expect.stringContaining('/revoke') as string,
      }),
    );
    expect(listed).toContainEqual(expect.objectContaining({ name: 'sandbox B', parts: ['webhookId'] }));
    // Each entry remains until it is decided, even for owners that did not see the answer. Nothing was revoked.
    expect((await owner.get(review, none)).body['data']).toEqual(listed);
    const keys = await owner.get('/api/api-keys', { env: 'production' });
    expect(keys.body['data']).toContainEqual(
      expect.objectContaining({ name: 'production key', revokedAt: null }),
    );
    for (const { id } of listed.filter(({ id: one }) => one.startsWith('key_'))) {
      for (const env of ['sandbox', 'production'] as const) {
        await owner.post(`/api/api-keys/${id}/revoke`, { env });
      }
    }
    const left = (await owner.get(review, none)).body['data'] as { kind: string }[];
    expect(left.map(({ kind }) => kind)).toEqual(['provider_connection', 'provider_connection']);
    for (const env of ['sandbox', 'production'] as const) {
      const { id } = listed.find((one) => one.name === `${env} B`) ?? { id: '' };
      const secrets = { webhookId: `WH-new-${env}` };
      expect((await owner.patch(`/api/provider-connections/${id}`, { env, body: { secrets } })).status).toBe(
        200,
      );
    }
    expect((await owner.get(review, none)).body['data']).toEqual([]);
  });

  test('shows the webhook endpoints whose address or secret they know', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    const make = async (by: OperatorClient, env: 'sandbox' | 'production', url: string) => {
      const answer = await by.post('/api/webhook-endpoints', { env, body: { url } });
      expect(answer.status).toBe(201);
      return String(answer.body['id']);
    };
    const theirs = await make(admin, 'production', 'https://93.184.216.34/theirs');
    const moved = await make(owner, 'sandbox', 'https://93.184.216.34/ours');
    const elsewhere = { env: 'sandbox', body: { url: 'https://93.184.216.34/moved' } } as const;
    expect((await admin.patch(`/api/webhook-endpoints/${moved}`, elsewhere)).status).toBe(200);
    await make(owner, 'production', 'https://93.184.216.34/other');
    const disabled = await make(admin, 'sandbox', 'https://93.184.216.34/disabled');
    await owner.patch(`/api/webhook-endpoints/${disabled}`, { body: { enabled: false } });

    const listed = (await remove(owner, admin.operatorId)).body['review'] as { id: string }[];
    expect(listed.map(({ id }) => id).sort()).toEqual([theirs, moved].sort());
    expect(listed).toContainEqual(
      expect.objectContaining({
        kind: 'webhook_endpoint',
        environment: 'production',
        name: 'https://93.184.216.34/theirs',
        id: theirs,
        madeBy: admin.operatorId,
        parts: ['address', 'secret'],
        lastUsedAt: null,
      }),
    );
    const left = async () => {
      const { body } = await owner.get(`/api/organizations/${owner.workspaceId}/access-review`, none);
      return new Map((body['data'] as { id: string; parts: string[] }[]).map(({ id, parts }) => [id, parts]));
    };
    // Submitting the address is not enough, because its secret is known, too.
    const same = { env: 'production', body: { url: 'https://93.184.216.34/theirs' } } as const;
    await owner.patch(`/api/webhook-endpoints/${theirs}`, same);
    expect(await left()).toEqual(
      new Map([
        [theirs, ['secret']],
        [moved, ['address']],
      ]),
    );
    await owner.post(`/api/webhook-endpoints/${theirs}/roll`, { env: 'production', body: {} });
    expect(await left()).toEqual(new Map([[moved, ['address']]]));
    await owner.delete(`/api/webhook-endpoints/${moved}`, { env: 'sandbox' });
    expect(await left()).toEqual(new Map());
  });

  test('shows the webhook endpoints that were pointed somewhere with a key of theirs, also once it is revoked', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    const keyOf = async (by: OperatorClient) => {
      const { body } = await by.post('/api/api-keys', { body: { name: 'app', scopes: ['webhooks'] } });
      return { id: String(body['id']), app: new Integrator(service.urls.sandbox, String(body['secret'])) };
    };
    const [theirs, ours] = [await keyOf(admin), await keyOf(owner)];
    const make = async ({ app }: { app: Integrator }) => {
      const { body } = await app.send('POST', '/v1/webhook-endpoints', { url: 'https://93.184.216.34/made' });
      return String(body['id']);
    };
    const [made, rolled, kept] = [await make(theirs), await make(ours), await make(ours)];
    await theirs.app.send('POST', `/v1/webhook-endpoints/${rolled}/roll`, {});
    await remove(owner, admin.operatorId);
    await owner.post(`/api/api-keys/${theirs.id}/revoke`);

    const left = async () => {
      const { body } = await owner.get(`/api/organizations/${owner.workspaceId}/access-review`, none);
      return (body['data'] as { id: string; madeBy: string }[]).map(({ id, madeBy }) => [id, madeBy]);
    };
    expect((await left()).sort()).toEqual([made, rolled].sort().map((id) => [id, admin.operatorId]));
    await ours.app.send('POST', `/v1/webhook-endpoints/${rolled}/roll`, {});
    await owner.delete(`/api/webhook-endpoints/${made}`);
    expect(await left()).toEqual([]);
    expect((await owner.get(`/api/webhook-endpoints/${kept}`)).body['disabledAt']).toBeNull();
  });

  test('is not there for a request whose body comes after it ended', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const { cookie, operatorId, workspaceId } = await logIn(service, {
      role: 'admin',
      workspaceId: owner.workspaceId,
    });
    const body = JSON.stringify({ name: 'late key' });
    // A session is marked as used at most once a minute: the update shows that the request was authenticated.
    service.clock.ahead = 61_000;
    const url = `${service.urls.console}/api/api-keys?organizationId=${workspaceId}&env=production`;
    const late = request(url, {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'application/json', 'Content-Length': body.length },
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      late.once('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      late.once('error', reject);
    });
    late.write(body.slice(0, 5));
    const touched = 'SELECT FROM tollgate.operator_sessions WHERE operator_id = $1 AND last_seen_at > $2';
    const since = new Date(service.clock.now() - 30_000);
    while ((await service.database.query(touched, [operatorId, since])).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect((await remove(owner, operatorId)).status).toBe(200);
    late.end(body.slice(5));
    expect(await status).toBe(401);
    const made = "SELECT FROM tollgate.api_keys WHERE name = 'late key'";
    expect(await service.database.query(made)).toEqual([]);
  });

  test('does not reach an owner’s invitation', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    const tokens = [
      await invite(owner, 'partner@example.test', 'owner'),
      await invite(owner, 'helper@example.test', 'viewer'),
    ];
    for (const email of ['Partner@example.test', 'helper@example.test']) {
      expect(
        await admin.post(`/api/organizations/${owner.workspaceId}/members`, {
          ...none,
          body: { email, role: 'viewer' },
        }),
      ).toMatchObject({ status: 403, body: { code: 'role_forbidden', requiredRole: 'owner' } });
    }
    for (const token of tokens) expect((await accept({ token, ...newAccount })).status).toBe(200);
  });
});

test('a removed account logs in still, and belongs to nothing', async () => {
  const { email } = await createOperator(service.database);
  const cookie = await logInAs(service.urls.console, email, testPassword);
  const client = createClient(service.urls.console, { operatorId: '', email, workspaceId: '', cookie });
  expect((await client.get('/api/organizations', none)).body).toEqual({ data: [], hasMore: false });
});
