import { seedEvents } from '../support/events';
import { Integrator } from '../support/integrator';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Specification 7: a cursor from another organization or environment is answered with HTTP 400. */
describe('a cursor', () => {
  const service = useService();
  let workspace: TestWorkspace;
  let api: Integrator;
  let cursor: string;

  beforeAll(async () => {
    workspace = await createWorkspace(service.database);
    api = new Integrator(service.urls.sandbox, workspace.sandboxKey);
    await seedEvents(service.database, workspace.sandbox, [{}, {}, {}]);
    cursor = String((await api.send('GET', '/v1/events?take=1')).body['nextCursor']);
  });

  async function expectRefused(caller: Integrator, query: string): Promise<void> {
    const { status, body, headers } = await caller.send('GET', `/v1/events?${query}`);
    expect([status, body['code']]).toEqual([400, 'cursor_invalid']);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body['fix']).toContain('Start again without');
  }

  test('works where it was issued, with any page size', async () => {
    expect((await api.send('GET', `/v1/events?cursor=${cursor}&take=2`)).status).toBe(200);
  });

  test('of another organization is refused', async () => {
    const other = await createWorkspace(service.database);
    await expectRefused(new Integrator(service.urls.sandbox, other.sandboxKey), `cursor=${cursor}`);
  });

  test('of the other environment is refused', async () => {
    await expectRefused(new Integrator(service.urls.production, workspace.productionKey), `cursor=${cursor}`);
  });

  test('with other filters is refused', () => expectRefused(api, `cursor=${cursor}&status=OK`));

  test.each(['', 'x', 'null', '%00', 'a'.repeat(5_000), '-1', '{}'])('%j is refused', (text) =>
    expectRefused(api, `cursor=${text}`),
  );

  test('with a character changed is refused', async () => {
    for (const index of [0, 20, cursor.length - 1]) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
      await expectRefused(api, `cursor=${changed}`);
    }
  });
});
