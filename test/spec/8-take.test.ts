import { logIn, type OperatorClient } from '../support/operator';
import { idsOf, seedEvents } from '../support/events';
import { Integrator } from '../support/integrator';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Specification 8: `take` accepts 1 to 200. */
describe('take', () => {
  const service = useService();
  let workspace: TestWorkspace;
  let operator: OperatorClient;
  let api: Integrator;

  beforeAll(async () => {
    workspace = await createWorkspace(service.database);
    operator = await logIn(service, { workspaceId: workspace.workspaceId, role: 'viewer' });
    api = new Integrator(service.urls.sandbox, workspace.sandboxKey);
    await seedEvents(
      service.database,
      workspace.sandbox,
      Array.from({ length: 201 }, () => ({})),
    );
  });

  test.each([
    ['take=1', 1],
    ['take=200', 200],
    ['', 50],
  ])('%j answers %i events, to keys and to operators', async (query, count) => {
    expect(idsOf((await api.send('GET', `/v1/events?${query}`)).body)).toHaveLength(count);
    const take = new URLSearchParams(query).get('take');
    const listed = await operator.get('/api/developer-events', { query: take === null ? {} : { take } });
    expect(idsOf(listed.body)).toHaveLength(count);
  });

  test.each(['0', '201', '', '1.5', '1e2', '-1', 'many', '9999999999'])(
    '%j is a 400 take_invalid',
    async (take) => {
      const { status, body } = await api.send('GET', `/v1/events?take=${take}`);
      expect([status, body['code']]).toEqual([400, 'take_invalid']);
      expect(body['errors']).toEqual([expect.objectContaining({ pointer: '/query/take' })]);
      const listed = await operator.get('/api/developer-events', { query: { take } });
      expect([listed.status, listed.body['code']]).toEqual([400, 'take_invalid']);
    },
  );

  test('given twice is a 400', async () => {
    expect((await api.send('GET', '/v1/events?take=1&take=2')).status).toBe(400);
  });
});
