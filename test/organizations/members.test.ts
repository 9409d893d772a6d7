import {
  createClient,
  createOperator,
  logIn,
  logInAs,
  testPassword,
  type OperatorClient,
} from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { createWorkspace } from '../support/workspace';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => {
  service.clock.ahead = 0;
});
afterAll(() => service.stop());

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
  expect(link).toMatch(/^http:\/\/console\.test\/invite\/[\w-]{43}$/);
  return link.split('/').at(-1) ?? '';
}

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
          ...{
            defaultCurrency: 'USD',
            timeZone: 'UTC',
            taxBehavior: 'none',
            taxRates: [],
            invoiceProfile: {},
          },
          ...{ defaultProvider: 'internal', pastDueAfterDays: 7, graceDays: 7, expireAfterDays: 30 },
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
    expect((await client.get(path, none)).body).toMatchObject({ name: 'New name', role: 'admin' });
    expect(await auditedActions(client.workspaceId)).toEqual(['organization.renamed']);
  });
});

describe('an invitation', () => {
  test('makes an account, once', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const token = await invite(owner, 'new@example.test');
    const look = await anonymous().get(`/api/auth/invitations/${token}`, none);
    expect(look.body).toMatchObject({
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
    expect((await anonymous().get(`/api/auth/invitations/${token}`, none)).status).toBe(404);
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
    expect((await anonymous().get(`/api/auth/invitations/${token}`, none)).body).toMatchObject({
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
    const status = async (token: string): Promise<number> =>
      (await anonymous().get(`/api/auth/invitations/${token}`, none)).status;
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
    service.clock.ahead = 7 * 86_400_000 + 1;
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
    expect((await owner.delete(memberPath(owner, member.operatorId), none)).status).toBe(204);
    expect(await member.get('/api/billing/settings')).toMatchObject({
      status: 404,
      body: { code: 'organization_forbidden' },
    });
    expect(await auditedActions(owner.workspaceId)).toEqual([
      'member.role_changed',
      'settings.changed',
      'member.removed',
    ]);
  });

  test('who is an owner is out of an admin’s reach', async () => {
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
    expect((await viewer.delete(memberPath(owner, viewer.operatorId), none)).status).toBe(204);
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
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    }
  });

  test('list tells who and since when, to members only', async () => {
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

test('a removed account logs in still, and belongs to nothing', async () => {
  const { email } = await createOperator(service.database);
  const cookie = await logInAs(service.urls.console, email, testPassword);
  const client = createClient(service.urls.console, { operatorId: '', email, workspaceId: '', cookie });
  expect((await client.get('/api/organizations', none)).body).toEqual({ data: [], hasMore: false });
});
