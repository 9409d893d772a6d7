import { createClient, logIn } from '../support/operator';
import { until } from '../support/until';
import { useService } from '../support/use-service';

/** Section 5, row 5: the stream closes its authorization transaction before it opens its long-lived connection. */
const service = useService();

/** Returns the open transactions of the service's own connections, as Postgres reports them. */
async function openTransactions(): Promise<string[]> {
  const rows = await service.database.query<{ transaction: string }>(
    `SELECT pid || ' since ' || xact_start AS transaction FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'tollgate-%' AND xact_start IS NOT NULL`,
  );
  return rows.map((row) => row.transaction);
}

test('an open stream holds no transaction', async () => {
  const client = await logIn(service, { role: 'viewer' });
  const streams: { reader: ReadableStreamDefaultReader<Uint8Array>; abort: AbortController }[] = [];
  // More streams than the pool has connections.
  for (let count = 0; count < 15; count += 1) {
    const abort = new AbortController();
    const answer = await fetch(
      `${service.urls.console}/api/developer-events/stream?organizationId=${client.workspaceId}&env=sandbox`,
      { headers: { Cookie: client.cookie }, signal: abort.signal },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const reader = answer.body?.getReader();
    if (reader === undefined) throw new Error('The stream has no body.');
    // The first bytes show that the stream is open.
    await reader.read();
    streams.push({ reader, abort });
  }
  // The hub's reader opens and ends transactions now and then; one held by a stream would stay in this list.
  let held = await openTransactions();
  await until(async () => {
    const open = new Set(await openTransactions());
    held = held.filter((transaction) => open.has(transaction));
    return held.length === 0;
  });
  expect((await client.get('/api/auth/session', { env: null })).status).toBe(200);
  for (const { abort } of streams) abort.abort();
});

test('an operator who may not read is refused before a stream opens', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const stranger = await logIn(service, { role: 'owner' });
  const path = '/api/developer-events/stream';
  const anonymous = createClient(service.urls.console, { ...owner, cookie: '' });
  expect(await anonymous.get(path)).toMatchObject({ status: 401, body: { code: 'session_required' } });
  expect(await stranger.get(path, { organizationId: owner.workspaceId })).toMatchObject({
    status: 404,
    body: { code: 'organization_forbidden' },
  });
});
