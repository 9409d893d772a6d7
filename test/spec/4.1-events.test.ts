import { Integrator } from '../support/integrator';
import { idsOf, seedEvents } from '../support/events';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Specification 4.1, GET /v1/events: newest-first history of the key's workspace and environment. */
describe('GET /v1/events', () => {
  const service = useService();
  let workspace: TestWorkspace;
  let api: Integrator;

  beforeEach(async () => {
    workspace = await createWorkspace(service.database);
    api = new Integrator(service.urls.sandbox, workspace.sandboxKey);
  });

  async function readAll(query: string): Promise<{ ids: string[]; sizes: number[] }> {
    const ids: string[] = [];
    const sizes: number[] = [];
    let cursor = '';
    for (;;) {
      const { status, body } = await api.send('GET', `/v1/events?${query}${cursor}`);
      expect(status).toBe(200);
      ids.push(...idsOf(body));
      sizes.push(idsOf(body).length);
      expect(body['hasMore']).toBe('nextCursor' in body);
      if (body['hasMore'] !== true) return { ids, sizes };
      cursor = `&cursor=${String(body['nextCursor'])}`;
    }
  }

  test('an event has the documented members', async () => {
    const createdAt = Date.now() - 5_000;
    const [id] = await seedEvents(service.database, workspace.sandbox, [
      {
        type: 'WEBHOOK_PROCESSED',
        status: 'ERROR',
        message: 'Bad signature.',
        source: 'provider_b',
        data: { n: 1 },
        createdAt,
      },
    ]);
    const { body } = await api.send('GET', '/v1/events');
    expect(body).toEqual({
      data: [
        {
          id,
          type: 'WEBHOOK_PROCESSED',
          status: 'ERROR',
          message: 'Bad signature.',
          source: 'provider_b',
          createdAt: new Date(createdAt).toISOString(),
          recordedAt: new Date(createdAt).toISOString(),
          data: { n: 1 },
        },
      ],
      hasMore: false,
    });
  });

  test('is newest first, 50 a page without take, and complete over pages', async () => {
    const at = Date.now() - 10_000;
    // Groups of three share an instant, so that pages also break within an instant.
    const ids = await seedEvents(
      service.database,
      workspace.sandbox,
      Array.from({ length: 120 }, (_, index) => ({ createdAt: at + Math.floor(index / 3) })),
    );
    const { ids: read, sizes } = await readAll('');
    expect(sizes).toEqual([50, 50, 20]);
    expect(read).toEqual([...ids].reverse());
    expect((await readAll('take=7')).ids).toEqual(read);
    expect((await readAll('take=120')).sizes).toEqual([120]);
  });

  test('a row that is inserted while paging neither repeats nor hides another', async () => {
    const at = Date.now() - 10_000;
    const old = await seedEvents(
      service.database,
      workspace.sandbox,
      Array.from({ length: 10 }, (_, index) => ({ createdAt: at + index })),
    );
    const first = await api.send('GET', '/v1/events?take=4');
    await seedEvents(service.database, workspace.sandbox, [{ createdAt: at + 5_000 }, { createdAt: at + 8 }]);
    const second = await api.send('GET', `/v1/events?take=100&cursor=${String(first.body['nextCursor'])}`);
    expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual([...old].reverse());
  });

  test('microseconds of an instant are kept between pages', async () => {
    await seedEvents(service.database, workspace.sandbox, [{}, {}, {}]);
    await service.database.query(
      `UPDATE tollgate.developer_events SET created_at = date_trunc('second', created_at) + (sequence % 3) * interval '300 microseconds'
        WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    const { ids } = await readAll('take=1');
    expect(new Set(ids).size).toBe(3);
  });

  test('filters by type, by status, and by both', async () => {
    const [webhook, failed, denied, checked] = await seedEvents(service.database, workspace.sandbox, [
      { type: 'WEBHOOK_PROCESSED' },
      { type: 'WEBHOOK_PROCESSED', status: 'ERROR' },
      { type: 'ENTITLEMENT_DENIED', status: 'DENIED' },
      { type: 'USAGE_CHECKED' },
    ]);
    expect((await readAll('eventType=WEBHOOK_PROCESSED')).ids).toEqual([failed, webhook]);
    expect((await readAll('eventType=USAGE_CHECKED')).ids).toEqual([checked]);
    expect((await readAll('status=ERROR')).ids).toEqual([failed]);
    expect((await readAll('status=OK')).ids).toEqual([checked, webhook]);
    expect((await readAll('eventType=WEBHOOK_PROCESSED&status=OK')).ids).toEqual([webhook]);
    expect((await readAll('eventType=ENTITLEMENT_DENIED&status=DENIED')).ids).toEqual([denied]);
    expect((await readAll('eventType=PAYMENT_RECORDED')).ids).toEqual([]);
  });

  test.each([
    ['eventType=WEBHOOK', '/query/eventType', 'WEBHOOK_PROCESSED'],
    ['status=FAILED', '/query/status', 'PENDING'],
    ['status=OK&status=ERROR', '/query/status', 'sent more than once'],
    ['search=x', '/query/search', 'Remove it'],
  ])('%s is a 400 that says what is known', async (query, pointer, known) => {
    const { status, body } = await api.send('GET', `/v1/events?${query}`);
    expect(status).toBe(400);
    expect(body['code']).toBe('validation_failed');
    expect(body['errors']).toEqual([expect.objectContaining({ pointer })]);
    expect(JSON.stringify(body['errors'])).toContain(known);
  });

  test('shows the key’s workspace and environment, and nothing else', async () => {
    const other = await createWorkspace(service.database);
    const [mine] = await seedEvents(service.database, workspace.sandbox, [{}]);
    const [live] = await seedEvents(service.database, workspace.production, [{}]);
    await seedEvents(service.database, other.sandbox, [{}]);
    expect((await readAll('')).ids).toEqual([mine]);
    const production = new Integrator(service.urls.production, workspace.productionKey);
    expect(idsOf((await production.send('GET', '/v1/events')).body)).toEqual([live]);
  });

  test('needs a key of this host', async () => {
    expect((await fetch(`${service.urls.sandbox}/v1/events`)).status).toBe(401);
    const { status, body } = await new Integrator(service.urls.sandbox, workspace.productionKey).send(
      'GET',
      '/v1/events',
    );
    expect([status, body['code']]).toEqual([401, 'api_key_wrong_environment']);
    expect(body['detail']).toContain('http://production.test');
  });
});
