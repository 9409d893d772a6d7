import { HOUR_MS } from '../../src/domain/instant';
import { openDatabase, type Database } from '../../src/db/pools';
import { createEventHub, type EventHub } from '../../src/events/event-hub';
import type { StreamHubOptions } from '../../src/events/stream-hub';
import { before } from '../../src/events/stream-position';
import type { EventSink, StreamEnd } from '../../src/events/event-listener';
import { createLogger } from '../../src/telemetry/logger';
import { newIdentifier } from '../../src/identifiers/identifier';
import { createOperator } from '../support/operator';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { seedEvents } from '../support/events';
import { TestClock } from '../support/service';
import { createWorkspace, type TestWorkspace } from '../support/workspace';

/** A reader whose speed the test controls. */
class Reader implements EventSink<{ id: string }> {
  ids: string[] = [];
  gaps = 0;
  endedBy: StreamEnd | null = null;
  bytes = 0;
  /** The most that was ever buffered for it. */
  peak = 0;
  private waiting: (() => void)[] = [];

  constructor(private slow = false) {}

  buffered(): number {
    return this.bytes;
  }
  event(event: { id: string }): void {
    this.ids.push(event.id);
    if (this.slow) this.bytes += JSON.stringify(event).length;
    this.peak = Math.max(this.peak, this.bytes);
    this.wake();
  }
  gap(): void {
    this.gaps += 1;
    this.wake();
  }
  end(reason: StreamEnd): void {
    this.endedBy = reason;
    this.wake();
  }
  catchUp(): void {
    this.slow = false;
    this.bytes = 0;
  }
  async until(condition: (reader: this) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

describe('the event hub', () => {
  let database: TestDatabase;
  let pool: Database;
  let workspace: TestWorkspace;
  let clock: TestClock;
  let hub: EventHub;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    workspace = await createWorkspace(database);
    clock = new TestClock();
  });
  afterEach(async () => {
    await hub.stop();
    await pool.destroy();
  });

  function startHub(options: Partial<StreamHubOptions> = {}): void {
    const log = createLogger('test', 'silent');
    pool = openDatabase(database.url('tollgate_app'), { max: 2, applicationName: 'test-hub', log });
    hub = createEventHub({ database: pool, clock, log, pollEvery: 20, ...options });
  }
  async function listen(
    reader: Reader,
    isAllowed: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<() => void> {
    const right = { openedBy: await openSession(), isAllowed };
    return hub.listen(
      workspace.sandbox,
      await hub.start(workspace.sandbox, 'opr_reader', null),
      reader,
      right,
    );
  }
  async function openSession(): Promise<string> {
    const { workspaceId } = workspace;
    const { operatorId } = await createOperator(database, { role: 'viewer', workspaceId });
    const id = newIdentifier('session');
    await database.query(
      `INSERT INTO tollgate.operator_sessions (id_hash, id, operator_id, created_at, last_seen_at, expires_at)
       VALUES (sha256(convert_to($1, 'UTF8')), $1, $2, now(), now(), now() + interval '1 day')`,
      [id, operatorId],
    );
    return id;
  }
  const record = (count: number): Promise<string[]> =>
    seedEvents(
      database,
      workspace.sandbox,
      Array.from({ length: count }, () => ({ message: 'x'.repeat(2_000), createdAt: Date.now() })),
    );

  test('the backlog of a reader that reads nothing is bounded, and no other waits for it', async () => {
    startHub({ batch: 10 });
    const slow = new Reader(true);
    const quick = new Reader();
    await listen(slow);
    await listen(quick);
    const ids = await record(500);
    await quick.until((one) => one.ids.length === 500);
    expect(quick.ids).toEqual(ids);
    // The bound, plus one read of 10 rows of slightly over 2,000 bytes.
    expect(slow.peak).toBeLessThan(64 * 1024 + 10 * 2_500);
    slow.catchUp();
    await slow.until((one) => one.ids.length === 500);
    expect(slow.ids).toEqual(ids);
  });

  test('a reader that takes nothing for half a minute is let go', async () => {
    startHub({ batch: 10 });
    const slow = new Reader(true);
    await listen(slow);
    await record(100);
    await slow.until((one) => one.bytes > 64 * 1024);
    // One poll that starts the wait, and one after it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    clock.ahead = 31_000;
    await slow.until((one) => one.endedBy !== null);
    expect(slow.endedBy).toBe('too_slow');
  });

  test('a stream that is far behind gets a gap and continues with new events', async () => {
    startHub({ batch: 10, catchUpLimit: 30 });
    const first = await hub.start(workspace.sandbox, 'opr_reader', null);
    const ids = await record(100);
    const late = new Reader();
    const right = { openedBy: await openSession(), isAllowed: () => Promise.resolve(true) };
    hub.listen(
      workspace.sandbox,
      await hub.start(workspace.sandbox, 'opr_reader', first.position),
      late,
      right,
    );
    await late.until((one) => one.gaps > 0);
    expect(late.ids).toEqual(ids.slice(0, 30));
    const [live] = await record(1);
    await late.until((one) => one.ids.at(-1) === live);
    expect([late.ids.length, late.gaps]).toEqual([31, 1]);
  });

  test('an open stream gets a gap after a failover that lost transactions, and continues with new events', async () => {
    startHub();
    const [current] = await database.query<{ horizon: string }>(
      'SELECT CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS horizon',
    );
    // As if the former primary had reached it. Other tests' transactions do not.
    const position = before((BigInt(current?.horizon ?? 0) + 1_000_000_000n).toString());
    const reader = new Reader();
    const right = { openedBy: await openSession(), isAllowed: () => Promise.resolve(true) };
    hub.listen(workspace.sandbox, { position, gap: false }, reader, right);
    await reader.until((one) => one.gaps > 0);
    const [live] = await record(1);
    await reader.until((one) => one.ids.length > 0);
    expect([reader.ids, reader.gaps]).toEqual([[live], 1]);
  });

  test('events of many transactions at once arrive once each, in one order for all', async () => {
    startHub({ batch: 7 });
    const readers = [new Reader(), new Reader()];
    for (const reader of readers) await listen(reader);
    const log = createLogger('test', 'silent');
    const writers = openDatabase(database.adminUrl, { max: 8, applicationName: 'test-writers', log });
    try {
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          writers.raw(
            `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
             SELECT ?, 'sandbox', 'evt_' || ?::text || '_' || n, 'USAGE_TRACKED', 'OK', pg_sleep(random() / 50)::text, 's', '{}', ?
               FROM generate_series(1, 3) AS n`,
            [workspace.workspaceId, index, new Date()],
          ),
        ),
      );
    } finally {
      await writers.destroy();
    }
    for (const reader of readers) await reader.until((one) => one.ids.length >= 180);
    expect(new Set(readers[0]?.ids).size).toBe(180);
    expect(readers[1]?.ids).toEqual(readers[0]?.ids);
  });

  test('a stream whose authorization cannot be checked ends before the promised half minute', async () => {
    startHub();
    const reader = new Reader();
    await listen(reader, () => new Promise(() => undefined));
    clock.ahead = 26_000;
    await reader.until((one) => one.endedBy !== null);
    expect(reader.endedBy).toBe('session_ended');
  });

  test('a machine’s clock that is set back keeps no stream open', async () => {
    startHub();
    clock.ahead = HOUR_MS;
    const reader = new Reader();
    await listen(reader, () => Promise.resolve(false));
    clock.ahead = 0;
    await reader.until((one) => one.endedBy !== null);
    expect(reader.endedBy).toBe('session_ended');
  });

  test.each([
    [
      'a membership that ends',
      `DELETE FROM tollgate.organization_members WHERE workspace_id = $1 AND operator_id <> $2`,
    ],
    [
      'a second factor that is required from now on, and missing,',
      `WITH enrolled AS (INSERT INTO tollgate.operator_second_factors
         (operator_id, key_id, envelope, revision, created_at, confirmed_at)
         VALUES ($2, 'k1', '', 1, now(), now()))
       UPDATE tollgate.organizations SET require_second_factor = true WHERE workspace_id = $1`,
    ],
  ])('%s takes its stream along at the next read, before anything newer is sent', async (_, statement) => {
    startHub();
    const [removed, kept] = [new Reader(), new Reader()];
    await listen(removed);
    await listen(kept);
    const [seen] = await record(1);
    await removed.until((one) => one.ids.length === 1);
    const [last] = await database.query<{ operator_id: string }>(
      `SELECT operator_id FROM tollgate.organization_members WHERE workspace_id = $1 ORDER BY operator_id DESC LIMIT 1`,
      [workspace.workspaceId],
    );
    await database.query(statement, [workspace.workspaceId, last?.operator_id]);
    const [unseen] = await record(1);
    await kept.until((one) => one.ids.length === 2);
    await removed.until((one) => one.endedBy !== null);
    expect([removed.ids, removed.endedBy]).toEqual([[seen], 'session_ended']);
    expect(kept.ids).toEqual([seen, unseen]);
  });

  test('a database that fails for a while ends no stream, and nothing is left out', async () => {
    startHub();
    const reader = new Reader();
    await listen(reader);
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'test-hub' AND datname = current_database()",
    );
    const ids = await record(3);
    await reader.until((one) => one.ids.length === 3);
    expect(reader.ids).toEqual(ids);
  });

  test('a full process says so before a stream opens', async () => {
    startHub({ bounds: { process: 1 } });
    const leave = hub.enter({ workspaceId: workspace.workspaceId, callerId: 'opr_reader' });
    await expect(hub.start(workspace.sandbox, 'opr_reader', null)).rejects.toMatchObject({
      code: 'service_busy',
      retryAfter: 5,
    });
    leave();
    await hub.start(workspace.sandbox, 'opr_reader', null);
  });

  test('without listeners it asks the database nothing', async () => {
    startHub();
    const leave = await listen(new Reader());
    let queries = 0;
    pool.on('query', () => (queries += 1));
    leave();
    // A poll that has begun runs to its end.
    for (let before = -1; before !== queries;) {
      before = queries;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
});
