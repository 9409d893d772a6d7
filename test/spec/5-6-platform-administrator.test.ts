import { createClient, logIn } from '../support/operator';
import { useService } from '../support/use-service';

/**
 * Section 5, row 6: operations on the whole installation require a platform administrator. This is a separate right:
 * no role in an organization includes it, and it includes no role in an organization.
 */
const service = useService();

const none = { env: null } as const;
const makeOrganization = { ...none, body: { name: 'Newcomers' } };

test('nobody without a session creates an organization', async () => {
  const client = createClient(service.urls.console, {
    operatorId: '',
    email: '',
    workspaceId: '',
    cookie: '',
  });
  expect(await client.post('/api/organizations', makeOrganization)).toMatchObject({
    status: 401,
    body: { code: 'session_required' },
  });
});

test.each(['viewer', 'developer', 'admin', 'owner'] as const)(
  'a %s creates no organization',
  async (role) => {
    const client = await logIn(service, { role });
    expect(await client.post('/api/organizations', makeOrganization)).toMatchObject({
      status: 403,
      body: { code: 'platform_administrator_required' },
    });
    const [row] = await service.database.query<{ count: string }>(
      "SELECT count(*) FROM tollgate.organizations WHERE name = 'Newcomers'",
    );
    expect(row?.count).toBe('0');
  },
);

test('a platform administrator creates an organization', async () => {
  const client = await logIn(service, { platformAdministrator: true });
  expect((await client.post('/api/organizations', makeOrganization)).status).toBe(201);
});

test('a former platform administrator is refused from the next request on', async () => {
  const client = await logIn(service, { platformAdministrator: true });
  await service.database.query(
    'UPDATE tollgate.operators SET is_platform_administrator = false WHERE id = $1',
    [client.operatorId],
  );
  expect((await client.post('/api/organizations', makeOrganization)).status).toBe(403);
});

test('a platform administrator is a stranger to organizations that have not invited them', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const client = await logIn(service, { platformAdministrator: true });
  const { workspaceId: organizationId } = owner;
  expect((await client.get('/api/api-keys', { organizationId })).status).toBe(404);
  expect((await client.get(`/api/organizations/${organizationId}/members`, none)).status).toBe(404);
});
