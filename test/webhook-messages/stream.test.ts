import { announceCall } from '../../src/announcements/announcement-store';
import { together } from '../../src/db/calls';
import { openDatabase, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { readStream, type StreamItem } from '../../src/listen/message-stream';
import { createLogger } from '../../src/telemetry/logger';
import { createMessageStream } from '../../src/webhook-messages/message-stream';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { until } from '../support/until';
import { createKey, createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** The sandbox's stream of webhook messages, as `npm run listen` reads it. */
const service = useService();
let database: Database;
let ours: TestWorkspace;
let key: string;
const stops: AbortController[] = [];
beforeAll(async () => {
  database = service.open('tollgate_worker', 3);
  ours = await createWorkspace(service.database);
  key = await createKey(service.database, ours.sandbox, ['webhooks']);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

async function announce(id: string, scope: WorkspaceScope = ours.sandbox, before = Promise.resolve()) {
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const fact = { type: 'refund.succeeded', resource: { kind: 'refund', id } } as const;
    await together(trx, [announceCall(scope, [fact], service.clock.now())]);
    await before;
  });
}

function open(after: string | null = null, own: string = key): AsyncGenerator<StreamItem> {
  const stop = new AbortController();
  stops.push(stop);
  return readStream({ apiUrl: service.urls.sandbox, key: own, after, stopped: stop.signal });
}

/** Returns the next news of a kind. */
async function next<Kind extends StreamItem['kind']>(stream: AsyncGenerator<StreamItem>, kind: Kind) {
  for (;;) {
    const { value } = (await stream.next()) as { value: StreamItem | undefined };
    if (value === undefined) throw new Error('The stream has ended.');
    if (value.kind === kind) return value as Extract<StreamItem, { kind: Kind }>;
  }
}

const resourceOf = ({ text }: { text: string }): string =>
  (JSON.parse(text) as { resource: { id: string } }).resource.id;

test('messages committed from then on, only of this workspace; and after an id, those that were missed', async () => {
  const stranger = await createWorkspace(service.database, 'Stranger');
  await announce('ref_before');
  // A stream begins below the oldest running transaction, including those of other test files.
  await until(async () => {
    const before = await service.database.query(
      `SELECT FROM tollgate.webhook_messages
        WHERE resource_id = 'ref_before' AND written_by < pg_snapshot_xmin(pg_current_snapshot())`,
    );
    return before.length > 0;
  });
  const stream = open();
  const { id: start } = await next(stream, 'start');
  await announce('ref_theirs', stranger.sandbox);
  await announce('ref_one');
  const one = await next(stream, 'message');
  expect(resourceOf(one)).toBe('ref_one');
  await announce('ref_two');
  expect(resourceOf(await next(stream, 'message'))).toBe('ref_two');
  const again = open(start);
  expect(resourceOf(await next(again, 'message'))).toBe('ref_one');
  expect(resourceOf(await next(again, 'message'))).toBe('ref_two');
  expect(resourceOf(await next(open(one.id), 'message'))).toBe('ref_two');
});

test('a transaction that commits late is not skipped', async () => {
  const stream = open();
  await next(stream, 'start');
  let commit = (): void => undefined;
  const late = announce(
    'ref_late',
    ours.sandbox,
    new Promise<void>((resolve) => {
      commit = resolve;
    }),
  );
  await announce('ref_early');
  commit();
  await late;
  const both = [await next(stream, 'message'), await next(stream, 'message')];
  expect(both.map(resourceOf).sort()).toEqual(['ref_early', 'ref_late']);
});

test('a reader that has missed more than ten thousand messages gets each of them', async () => {
  const { workspaceId, environment } = ours.sandbox;
  const stream = open();
  const { id } = await next(stream, 'start');
  await service.database.query(
    `INSERT INTO tollgate.webhook_messages (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at,
            created_at, payload)
     SELECT $1, $2, 'msg_' || lpad(n::text, 26, '0'), 'refund.succeeded', 'refund', 'ref_many', n, now(), now(),
            json_build_object('resource', json_build_object('id', n::text))::text
       FROM generate_series(1, 10100) n`,
    [workspaceId, environment],
  );
  const again = open(id);
  await next(again, 'start');
  for (let n = 1; n <= 10_100; n += 1)
    if (resourceOf(await next(again, 'message')) !== String(n)) throw new Error(`Message ${n} is missing.`);
});

test('a reader that takes nothing is handed little of what waits for it, and all of it once it does', async () => {
  const { workspaceId, environment } = ours.sandbox;
  const log = createLogger('test', 'silent');
  const { clock } = service;
  const render = () => Promise.reject(new Error('It has its text.'));
  const url = service.database.url('tollgate_app');
  const app = openDatabase(url, { max: 2, applicationName: 'x', log });
  const { hub } = createMessageStream({ database: app, clock, log, render, pollEvery: 20 });
  const start = await hub.start(ours.sandbox, 'key_slow', null);
  await service.database.query(
    `INSERT INTO tollgate.webhook_messages (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at,
            created_at, payload)
     SELECT $1, $2, 'msg_large_' || lpad(n::text, 3, '0'), 'refund.succeeded', 'refund', 'ref_large', n, now(), now(),
            to_json(repeat('x', 100000))::text
       FROM generate_series(1, 100) n`,
    [workspaceId, environment],
  );
  const own = await createKey(service.database, ours.sandbox, ['webhooks']);
  const [row] = await service.database.query<{ id: string }>('SELECT max(id) AS id FROM tollgate.api_keys');
  expect(own).not.toBe('');
  const taken = { bytes: 0, messages: 0, takes: false };
  const sink = {
    buffered: () => (taken.takes ? 0 : taken.bytes),
    event: (message: unknown) => {
      taken.bytes += JSON.stringify(message).length;
      taken.messages += 1;
    },
    gap: () => undefined,
    end: () => undefined,
  };
  const right = { openedBy: row?.id ?? '', isAllowed: () => Promise.resolve(true) };
  hub.listen(ours.sandbox, start, sink, right);
  await until(() => Promise.resolve(taken.messages > 0));
  expect(taken.bytes).toBeLessThan(2_500_000);
  taken.takes = true;
  await until(() => Promise.resolve(taken.messages >= 100));
  await hub.stop();
  await app.destroy();
  expect(taken.messages).toBe(100);
});

test('a position of another database is a gap', async () => {
  const { id } = await next(open(`${2n ** 62n}.0`), 'gap');
  expect(BigInt(id.split('.')[0] ?? '')).toBeLessThan(2n ** 62n);
});

test('production has none, and says what to do; no id of the stream is refused; a key has five', async () => {
  const get = (url: string, own: string, query = '') =>
    fetch(`${url}/v1/webhook-messages/stream${query}`, { headers: { Authorization: `Bearer ${own}` } });
  const live = await createKey(service.database, ours.production, ['webhooks']);
  const refused = await get(service.urls.production, live);
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'webhook_stream_sandbox_only', fix: expect.stringContaining('webhook endpoint') as string },
  ]);
  for (const id of ['x', '1', '1.1', `${2n ** 63n}.0`]) {
    expect((await get(service.urls.sandbox, key, `?after=${id}`)).status).toBe(400);
  }
  const own = await createKey(service.database, ours.sandbox, ['webhooks']);
  for (let count = 0; count < 5; count += 1) await next(open(null, own), 'start');
  const sixth = await get(service.urls.sandbox, own);
  expect(((await sixth.json()) as { code: string }).code).toBe('too_many_streams');
});
