import { StreamReader } from '../support/event-stream';
import { logIn, testPassword, type OperatorClient } from '../support/operator';
import { Authenticator, enrol } from '../support/second-factor';
import { useService } from '../support/use-service';

/** An organization that requires a second factor: members without one can only set one up. */
const service = useService();

const none = { env: null } as const;
const require = (client: OperatorClient, requireSecondFactor = true) =>
  client.put(`/api/organizations/${client.workspaceId}/second-factor-requirement`, {
    ...none,
    body: { requireSecondFactor },
  });
const refusal = { status: 403, body: { code: 'second_factor_enrolment_required' } };

test('a member without one is refused everywhere in it with the next request, until they have one', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const { workspaceId } = owner;
  const member = await logIn(service, { role: 'developer', workspaceId });
  const stream = await StreamReader.open(member, service.urls.console);
  await enrol(service, owner);
  expect(await require(owner)).toMatchObject({ status: 200, body: { requireSecondFactor: true } });

  const path = `/api/organizations/${workspaceId}`;
  expect(await member.get('/api/plans')).toMatchObject(refusal);
  expect(await member.post('/api/customers', { body: { externalId: 'x' } })).toMatchObject(refusal);
  expect(await member.get(path, none)).toMatchObject(refusal);
  expect(await member.get(`${path}/members`, none)).toMatchObject(refusal);
  expect(await member.delete(`${path}/members/${member.operatorId}`, none)).toMatchObject(refusal);
  await stream.until((one) => one.ended);
  // Members can still read their own session, which says what to do.
  const { body } = await member.get('/api/auth/session', none);
  expect(body).toMatchObject({
    organizations: [{ id: workspaceId, requireSecondFactor: true }],
    secondFactor: { enrolled: false },
  });

  await enrol(service, member);
  expect((await member.get('/api/plans')).status).toBe(200);
  expect((await member.get(`${path}/members`, none)).status).toBe(200);
});

test('only an owner sets it, and only with a second factor of their own', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
  await enrol(service, admin);
  expect(await require(admin)).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
  expect(await require(owner)).toMatchObject({ status: 409, body: { code: 'second_factor_not_enrolled' } });
});

test('it says nothing about other organizations', async () => {
  const owner = await logIn(service, { role: 'owner' });
  await enrol(service, owner);
  await require(owner);
  const elsewhere = await logIn(service, { role: 'viewer' });
  expect((await elsewhere.get('/api/plans')).status).toBe(200);
});

test('a member who disables theirs can only set up another', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const { app } = await enrol(service, owner);
  await require(owner);
  const sent = { password: testPassword, code: app.next() };
  await owner.post('/api/auth/second-factor/disable', { ...none, body: sent });
  expect(await owner.get('/api/plans')).toMatchObject(refusal);
  expect(await require(owner, false)).toMatchObject(refusal);
  const again = await enrol(service, owner);
  expect(again.app).toBeInstanceOf(Authenticator);
  expect((await owner.get('/api/plans')).status).toBe(200);
});

test('admins see who has one, and others do not', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const viewer = await logIn(service, { role: 'viewer', workspaceId: owner.workspaceId });
  await enrol(service, owner);
  const seenBy = async (client: OperatorClient) => {
    const { body } = await client.get(`/api/organizations/${owner.workspaceId}/members`, none);
    return (body['data'] as { hasSecondFactor: unknown }[]).map(({ hasSecondFactor }) => hasSecondFactor);
  };
  expect(await seenBy(owner)).toEqual([true, false]);
  expect(await seenBy(viewer)).toEqual([null, null]);
});
