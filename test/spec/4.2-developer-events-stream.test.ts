import { Client } from 'pg';
import { seedEvents } from '../support/events';
import { StreamReader } from '../support/event-stream';
import { createClient, logIn, type OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Specification 4.2, GET /api/developer-events/stream, and 5.5: the live stream, for the console only. */
describe('GET /api/developer-events/stream', () => {
  const service = useService();
  let workspace: TestWorkspace;
  let operator: OperatorClient;
  const open: StreamReader[] = [];

  beforeEach(async () => {
    service.clock.ahead = 0;
    workspace = await createWorkspace(service.database);
    operator = await logIn(service, { workspaceId: workspace.workspaceId, role: 'viewer' });
  });
  afterEach(() => {
    for (const reader of open.splice(0)) reader.close();
  });

  async function listen(options: Parameters<typeof StreamReader.open>[2] = {}): Promise<StreamReader> {
    const reader = await StreamReader.open(operator, service.urls.console, options);
    open.push(reader);
    if (reader.response.statusCode === 200) await reader.until((one) => one.lastId !== '');
    return reader;
  }
  const record = (...messages: string[]): Promise<string[]> =>
    seedEvents(
      service.database,
      workspace.sandbox,
      messages.map((message) => ({ message, createdAt: Date.now() })),
    );

  test('each message’s data is an event as the list has it, under an id', async () => {
    const reader = await listen();
    expect(reader.response.headers['content-type']).toBe('text/event-stream');
    const [id] = await record('live');
    await reader.until((one) => one.messages.length > 0);
    const { body } = await operator.get('/api/developer-events');
    expect(reader.messages).toEqual([
      {
        event: 'message',
        id: expect.stringMatching(/^\d+\.\d+$/) as string,
        data: (body['data'] as unknown[])[0],
      },
    ]);
    expect(reader.eventIds()).toEqual([id]);
  });

  test('only the chosen workspace and environment is heard', async () => {
    const other = await createWorkspace(service.database);
    const reader = await listen();
    await seedEvents(service.database, workspace.production, [{ createdAt: Date.now() }]);
    await seedEvents(service.database, other.sandbox, [{ createdAt: Date.now() }]);
    const [mine] = await record('mine');
    await reader.until((one) => one.messages.length > 0);
    expect(reader.eventIds()).toEqual([mine]);
  });

  test('an event whose transaction commits late is neither skipped nor out of order', async () => {
    const reader = await listen();
    const slow = new Client({ connectionString: service.database.adminUrl });
    await slow.connect();
    await slow.query('BEGIN');
    await slow.query(
      `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
       VALUES ($1, 'sandbox', 'evt_slow', 'USAGE_TRACKED', 'OK', 'slow', 'api', '{}', $2)`,
      [workspace.workspaceId, new Date()],
    );
    const [fast] = await record('fast');
    const { body } = await operator.get('/api/developer-events');
    expect((body['data'] as { id: string }[]).map((event) => event.id)).toEqual([fast]);
    await slow.query('COMMIT');
    await slow.end();
    await reader.until((one) => one.messages.length > 1);
    expect(reader.eventIds()).toEqual(['evt_slow', fast]);
  });

  test('resumes after Last-Event-ID: nothing twice, nothing left out', async () => {
    const first = await listen();
    const before = await record('one', 'two');
    await first.until((one) => one.messages.length === 2);
    first.close();
    const missed = await record('three');
    const second = await listen({ lastEventId: first.lastId });
    const after = await record('four');
    await second.until((one) => one.messages.length >= 2);
    expect([...first.eventIds(), ...second.eventIds()]).toEqual([...before, ...missed, ...after]);
    expect(second.messages.map((one) => one.event)).not.toContain('gap');
  });

  test('a stream that was cut off before its first event resumes from where it began', async () => {
    const first = await listen();
    first.close();
    const [missed] = await record('meanwhile');
    const second = await listen({ lastEventId: first.lastId });
    await second.until((one) => one.messages.length > 0);
    expect(second.eventIds()).toEqual([missed]);
  });

  test('in the middle of one transaction’s events it resumes with the next', async () => {
    const first = await listen();
    const ids = await record('a', 'b', 'c');
    await first.until((one) => one.messages.length === 3);
    const second = await listen({ lastEventId: first.messages[0]?.id ?? '' });
    await second.until((one) => one.messages.length === 2);
    expect(second.eventIds()).toEqual(ids.slice(1));
  });

  test('an id that is too old, or of another database, gets a gap and continues live', async () => {
    const reader = await listen();
    const [old] = await record('old', 'older');
    await reader.until((one) => one.messages.length === 2);
    await service.database.query(
      "UPDATE tollgate.developer_events SET created_at = created_at - interval '25 hours' WHERE workspace_id = $1",
      [workspace.workspaceId],
    );
    for (const lastEventId of [reader.messages[0]?.id ?? '', '9000000000000000000.1']) {
      const late = await listen({ lastEventId });
      await late.until((one) => one.messages.length > 0);
      expect(late.messages[0]?.event).toBe('gap');
      const [live] = await record('live');
      await late.until((one) => one.messages.length > 1);
      expect(late.eventIds()).toEqual([live]);
      expect(late.eventIds()).not.toContain(old);
    }
  });

  test.each(['x', '1', '1.', '.1', '-1.1', '1.1.1', '99999999999999999999.1', '1 .1'])(
    'Last-Event-ID %j is a 400',
    async (lastEventId) => {
      const reader = await listen({ lastEventId });
      expect(reader.response.statusCode).toBe(400);
    },
  );

  test('holds no database connection and no transaction', async () => {
    await Promise.all([listen(), listen(), listen()]);
    const busy = async (): Promise<unknown[]> =>
      service.database.query(
        "SELECT state FROM pg_stat_activity WHERE datname = $1 AND application_name = 'tollgate-api' AND state LIKE '%in transaction%'",
        [service.database.name],
      );
    // A read is in progress only now and then; a transaction held by a stream would appear in every sample.
    await until(async () => (await busy()).length === 0);
  });

  test('ends when the session ends', async () => {
    const reader = await listen();
    await service.database.query(
      'UPDATE tollgate.operator_sessions SET revoked_at = $2 WHERE operator_id = $1',
      [operator.operatorId, new Date()],
    );
    service.clock.ahead = 16_000;
    await reader.until((one) => one.ended);
    expect(reader.messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'session_ended' } });
    expect((await listen({ lastEventId: reader.lastId })).response.statusCode).toBe(401);
  });

  test('ends when the membership ends, and continues for the others', async () => {
    const colleague = await logIn(service, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const reader = await listen();
    const stays = await StreamReader.open(colleague, service.urls.console);
    open.push(stays);
    await stays.until((one) => one.lastId !== '');
    await service.database.query('DELETE FROM tollgate.organization_members WHERE operator_id = $1', [
      operator.operatorId,
    ]);
    service.clock.ahead = 16_000;
    await reader.until((one) => one.ended);
    const [id] = await record('still here');
    await stays.until((one) => one.eventIds().length > 0);
    expect(stays.eventIds()).toEqual([id]);
  });

  test('is not for keys, strangers or callers without a session', async () => {
    const withKey = await fetch(`${service.urls.sandbox}/api/developer-events/stream`, {
      headers: { Authorization: `Bearer ${workspace.sandboxKey}` },
    });
    expect(withKey.status).toBe(404);
    const keyAtConsole = await StreamReader.open(
      createClient(service.urls.console, { ...operator, cookie: '' }),
      service.urls.console,
      {
        headers: { Authorization: `Bearer ${workspace.sandboxKey}` },
      },
    );
    expect(keyAtConsole.response.statusCode).toBe(401);
    const stranger = await logIn(service, { role: 'owner' });
    const foreign = await StreamReader.open(
      { ...stranger, workspaceId: workspace.workspaceId },
      service.urls.console,
    );
    expect(foreign.response.statusCode).toBe(404);
  });

  test('one operator takes a bounded number of streams, and leaves room for others', async () => {
    const streams = await Promise.all(Array.from({ length: 24 }, () => listen()));
    const refused = streams.filter(({ response }) => response.statusCode === 429);
    expect(refused).toHaveLength(4);
    const other = await logIn(service, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const reader = await StreamReader.open(other, service.urls.console);
    open.push(reader);
    expect(reader.response.statusCode).toBe(200);
    // A caller that closes one stream may open another.
    streams.find(({ response }) => response.statusCode === 200)?.close();
    const answers = [];
    while (answers.at(-1) !== 200) answers.push((await listen()).response.statusCode);
  });

  test('HEAD and a Host header that is no host are answered at once', async () => {
    const query = `organizationId=${operator.workspaceId}&env=sandbox`;
    const head = await fetch(`${service.urls.console}/api/developer-events/stream?${query}`, {
      method: 'HEAD',
      headers: { Cookie: operator.cookie },
    });
    expect(head.status).toBe(200);
    const reader = await listen({ headers: { Host: 'a b' } });
    expect(reader.response.statusCode).toBe(400);
  });

  test('at shutdown streams end with advice to come back, and the process does not wait for them', async () => {
    const other = await service.another();
    const reader = await StreamReader.open(operator, other.urls.console);
    await reader.until((one) => one.lastId !== '');
    await other.api.stop();
    await reader.until((one) => one.ended);
    expect(reader.messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'shutdown' } });
    expect(Number(reader.retry)).toBeGreaterThan(0);
  });
});
