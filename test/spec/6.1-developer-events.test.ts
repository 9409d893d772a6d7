import { CatalogueSeeder } from '../support/catalogue';
import { Integrator } from '../support/integrator';
import { trackUntilTaken, untilTaken } from '../support/until-taken';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

interface Event {
  type: string;
  status: string;
  source: string;
  message: string;
  data: Record<string, unknown>;
}

/** Specification 6.1: the actions for which the service records developer events. */
describe('developer events', () => {
  const service = useService();
  let workspace: TestWorkspace;
  let api: Integrator;

  beforeEach(async () => {
    workspace = await createWorkspace(service.database);
    api = new Integrator(service.urls.sandbox, workspace.sandboxKey);
    const seed = new CatalogueSeeder(service.database, workspace.sandbox);
    const plan = await seed.plan('pro', [{ feature: 'ai_tokens', quota: 10 }]);
    await seed.subscription(await seed.customer('acct_1'), plan);
  });

  async function events(): Promise<Event[]> {
    return (await api.send('GET', '/v1/events')).body['data'] as Event[];
  }

  test('a usage check', async () => {
    await api.check('acct_1', 'ai_tokens', 3);
    expect(await events()).toEqual([
      expect.objectContaining({
        type: 'USAGE_CHECKED',
        status: 'OK',
        source: 'api',
        message: expect.stringContaining('acct_1') as string,
      }),
    ]);
  });

  test('a tracked use, under the source that the integrator names', async () => {
    await api.track('acct_1', 'ai_tokens', 3, 'one', { source: 'worker-eu' });
    expect(await events()).toEqual([
      expect.objectContaining({ type: 'USAGE_TRACKED', status: 'OK', source: 'worker-eu' }),
    ]);
  });

  test('a replay records no second event', async () => {
    await api.track('acct_1', 'ai_tokens', 3, 'one');
    await api.track('acct_1', 'ai_tokens', 3, 'one');
    expect(await events()).toHaveLength(1);
  });

  test.each(['check', 'track'] as const)(
    'a failed entitlement decision of a %s: exactly one event',
    async (operation) => {
      await api[operation]('acct_1', 'ai_tokens', 11);
      const recorded = await events();
      expect(recorded).toEqual([expect.objectContaining({ type: 'ENTITLEMENT_DENIED', status: 'DENIED' })]);
      expect(recorded[0]?.data).toMatchObject({ operation });
    },
  );

  test('a request that is refused before a decision records nothing', async () => {
    await api.check('acct_unknown', 'ai_tokens', 1);
    await api.check('acct_1', 'unknown', 1);
    await api.check('acct_1', 'ai_tokens', -1);
    await api.send('POST', '/v1/usage/track', { externalId: 'acct_1', feature: 'ai_tokens', quantity: 1 });
    expect(await events()).toEqual([]);
  });

  test('events of calls that come at once are all there', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? untilTaken(() => api.check('acct_1', 'ai_tokens', 0.25))
          : trackUntilTaken(api, 'acct_1', 'ai_tokens', 0.25),
      ),
    );
    const types = (await events()).map((event) => event.type);
    expect(types).toHaveLength(40);
    expect(types.filter((type) => type === 'USAGE_TRACKED')).toHaveLength(20);
  });
});
