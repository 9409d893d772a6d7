import { inWorkspace } from '../../src/db/workspace-transaction';
import { listWebhookFailures } from '../../src/webhooks/failure-store';
import { logIn } from '../support/operator';
import { useStarted } from '../support/use-started';
import { eventOf } from './fake-provider';
import { WebhookWorkspace } from './webhook-workspace';

const ours = useStarted(() => WebhookWorkspace.start());

interface Failure {
  id: string;
  connectionId: string;
  kind: string;
  reason: string;
  count: number;
  firstAt: string;
  lastAt: string;
}

interface Page {
  data: Failure[];
  nextCursor?: string;
}

async function list(there: WebhookWorkspace, query: Record<string, string> = {}): Promise<Page> {
  const { status, body } = await there.operator.get('/api/webhooks/failures', { query });
  expect(status).toBe(200);
  return body as unknown as Page;
}

const forge = (there: WebhookWorkspace) => there.post(eventOf('ignored'), { secret: 'whsec_fake_wrong' });

test('deliveries that failed are listed, newest first, by kind and connection, and only one’s own', async () => {
  const [here, elsewhere] = [await ours.another(), await ours.another()];
  expect((await forge(here)).status).toBe(400);
  expect((await here.post(null, { bytes: Buffer.from('{"half":') })).status).toBe(500);
  await forge(elsewhere);

  const { data } = await list(here);
  expect(data.map(({ kind, count, connectionId }) => ({ kind, count, connectionId }))).toEqual([
    { kind: 'processing', count: 1, connectionId: here.connection },
    { kind: 'signature', count: 1, connectionId: here.connection },
  ]);
  expect(data.every(({ reason }) => reason.length > 0)).toBe(true);
  const firsts = data.map(({ firstAt }) => Date.parse(firstAt));
  expect(firsts).toEqual([...firsts].sort((one, other) => other - one));

  expect((await list(here, { kind: 'signature' })).data).toEqual([data[1]]);
  expect((await list(here, { connectionId: here.connection })).data).toEqual(data);
  expect((await list(here, { connectionId: elsewhere.connection })).data).toEqual([]);
  const refused = await here.operator.get('/api/webhooks/failures', { query: { kind: 'forged' } });
  expect(refused.status).toBe(400);
});

test('a flood is counted: over all pages the counts sum up to the attempts', async () => {
  const there = await ours.another();
  const attempts = 70;
  await Promise.all(Array.from({ length: attempts }, () => forge(there)));
  const all: Failure[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await list(there, { take: '7', ...(cursor !== undefined && { cursor }) });
    all.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(attempts);
  const flood = all.find(({ count }) => count > 1);
  expect(Date.parse(flood?.lastAt ?? '')).toBeGreaterThanOrEqual(Date.parse(flood?.firstAt ?? ''));
});

test('the list is read in the order of its index, with row-level security on, and nothing is sorted', async () => {
  const scope = ours.workspace.sandbox;
  const database = ours.service.open('tollgate_app', 1);
  const queries: { sql: string; bindings: unknown[] }[] = [];
  database.on('query', (query: { sql: string; bindings: unknown[] }) => queries.push(query));
  const before = { createdAt: Date.now(), id: 'whf_z' };
  await inWorkspace(database, scope, 'OPERATOR', (trx) =>
    listWebhookFailures(trx, scope, { limit: 51, before }),
  );
  const list = queries.find(({ sql }) => sql.includes('webhook_failures'));
  const plan = await inWorkspace(database, scope, 'OPERATOR', async (trx) => {
    await trx.raw('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    const sql = (list?.sql ?? '').replaceAll(/\$\d+/g, '?');
    const { rows } = await trx.raw<{ rows: object[] }>(`EXPLAIN ${sql}`, list?.bindings as string[]);
    return JSON.stringify(rows);
  });
  expect(plan).toContain('webhook_failures_newest');
  expect(plan).not.toContain('Sort');
});

test('a viewer may read them; another organization’s operator sees none', async () => {
  const { workspaceId } = ours.workspace;
  const viewer = await logIn(ours.service, { role: 'viewer', workspaceId });
  expect((await viewer.get('/api/webhooks/failures')).status).toBe(200);
  const stranger = await logIn(ours.service, { role: 'admin' });
  expect((await stranger.get('/api/webhooks/failures')).body['data']).toEqual([]);
});
