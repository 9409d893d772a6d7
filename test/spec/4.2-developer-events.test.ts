import { createDeveloperEvents } from '../../src/events/developer-event-service';
import { openDatabase } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { idsOf, seedEvents } from '../support/events';
import { createClient, logIn, type OperatorClient } from '../support/operator';
import { testSecrets } from '../support/service';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Specification 4.2, GET /api/developer-events: the history of the operator's organization and environment. */
describe('GET /api/developer-events', () => {
  const service = useService();
  let workspace: TestWorkspace;
  let operator: OperatorClient;

  beforeEach(async () => {
    workspace = await createWorkspace(service.database);
    operator = await logIn(service, { workspaceId: workspace.workspaceId, role: 'viewer' });
  });

  const list = async (query: Record<string, string> = {}): Promise<string[]> => {
    const { status, body } = await operator.get('/api/developer-events', { query });
    expect(status).toBe(200);
    return idsOf(body);
  };

  test('env chooses the environment', async () => {
    const [tried] = await seedEvents(service.database, workspace.sandbox, [{}]);
    const [live] = await seedEvents(service.database, workspace.production, [{}]);
    expect(await list()).toEqual([tried]);
    expect(idsOf((await operator.get('/api/developer-events', { env: 'production' })).body)).toEqual([live]);
  });

  test('filters and pages like the key’s list', async () => {
    const ids = await seedEvents(service.database, workspace.sandbox, [
      { type: 'WEBHOOK_PROCESSED', status: 'ERROR' },
      { type: 'USAGE_TRACKED' },
      { type: 'WEBHOOK_PROCESSED' },
    ]);
    expect(await list({ eventType: 'WEBHOOK_PROCESSED' })).toEqual([ids[2], ids[0]]);
    expect(await list({ status: 'ERROR' })).toEqual([ids[0]]);
    const first = await operator.get('/api/developer-events', { query: { take: '2' } });
    expect(first.body['hasMore']).toBe(true);
    expect(await list({ take: '2', cursor: String(first.body['nextCursor']) })).toEqual([ids[0]]);
  });

  test('search finds text in message and source, without regard to case', async () => {
    const [inMessage, inSource] = await seedEvents(service.database, workspace.sandbox, [
      { message: 'acct_42 used 5 AI tokens.' },
      { source: 'Worker-AI' },
      { message: 'acct_42 used 5 exports.' },
      { data: { hidden: 'ai' } },
    ]);
    expect(await list({ search: 'ai' })).toEqual([inSource, inMessage]);
    expect(await list({ search: 'ai', eventType: 'USAGE_TRACKED', status: 'OK' })).toEqual([
      inSource,
      inMessage,
    ]);
    expect(await list({ search: 'ai', eventType: 'WEBHOOK_PROCESSED' })).toEqual([]);
  });

  test('the characters of LIKE stand for themselves in a search', async () => {
    const [percent, underscore, backslash] = await seedEvents(service.database, workspace.sandbox, [
      { message: '100% used' },
      { message: 'acct_1' },
      { message: 'C:\\path' },
      { message: 'acctx1 and 1000 used' },
    ]);
    expect(await list({ search: '0%' })).toEqual([percent]);
    expect(await list({ search: 't_1' })).toEqual([underscore]);
    expect(await list({ search: ':\\p' })).toEqual([backslash]);
  });

  test('a search that has read enough rows returns a short page, and its cursor continues from there', async () => {
    const messages = Array.from({ length: 100 }, (_, index) => ({
      message: index % 30 === 3 ? 'needle' : 'hay',
    }));
    const ids = await seedEvents(service.database, workspace.sandbox, messages);
    const expected = ids.filter((_, index) => index % 30 === 3).reverse();
    const log = createLogger('test', 'silent');
    const database = openDatabase(service.database.url('tollgate_app'), {
      max: 1,
      applicationName: 'test',
      log,
    });
    try {
      const events = createDeveloperEvents({
        database,
        cursorSecret: testSecrets.cursorSecret,
        scanLimit: 20,
      });
      const reader = { scope: workspace.sandbox, reason: 'OPERATOR' } as const;
      const found: string[] = [];
      const sizes: number[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await events.list(reader, { search: 'needle', take: 2, cursor });
        found.push(...page.data.map((event) => event.id));
        sizes.push(page.data.length);
        expect(page.hasMore).toBe(page.nextCursor !== undefined);
        if (page.nextCursor === undefined) break;
        cursor = page.nextCursor;
      }
      expect(found).toEqual(expected);
      // Each call scanned no more than its share, even if it found nothing.
      expect(sizes).toContain(0);
      expect(sizes.length).toBeGreaterThanOrEqual(5);
    } finally {
      await database.destroy();
    }
  });

  test.each([
    { search: '' },
    { search: 'x'.repeat(201) },
    { search: 'a\0b' },
    { eventType: 'NONE' },
    { unknown: '1' },
  ])('%j is a documented 400', async (query) => {
    const { status, body } = await operator.get('/api/developer-events', {
      query: query,
    });
    expect([status, body['code']]).toEqual([400, 'validation_failed']);
  });

  test('a cursor of the other environment is a 400', async () => {
    await seedEvents(service.database, workspace.sandbox, [{}, {}]);
    const { body } = await operator.get('/api/developer-events', { query: { take: '1' } });
    const other = await operator.get('/api/developer-events', {
      env: 'production',
      query: { cursor: String(body['nextCursor']) },
    });
    expect([other.status, other.body['code']]).toEqual([400, 'cursor_invalid']);
  });

  test('only members read, and nobody without a session', async () => {
    const stranger = await logIn(service, { role: 'owner' });
    const foreign = await stranger.get('/api/developer-events', { organizationId: workspace.workspaceId });
    expect([foreign.status, foreign.body['code']]).toEqual([404, 'organization_forbidden']);
    const anonymous = createClient(service.urls.console, { ...operator, cookie: '' });
    expect((await anonymous.get('/api/developer-events')).status).toBe(401);
  });
});
