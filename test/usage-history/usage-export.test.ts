import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { HOUR_MS } from '../../src/domain/instant';
import { csvCell, csvLine, ndjsonLine } from '../../src/usage-history/export-lines';
import { until } from '../support/until';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';
import { HistoryWorkspace } from './history-workspace';

const T = Date.parse('2026-05-05T10:00:00Z');
const COUNT = 8_000;
/**
 * Number of uses at the start, covering six minutes, that have little text. The others fill the sockets, each with
 * about 2 KB.
 */
const SHORT = 1_080;
const history = useStarted(() => HistoryWorkspace.start());
let featureId: string;

beforeAll(async () => {
  const { world } = history;
  featureId = await history.feature('tokens');
  const customerId = await world.seed.customer('ann');
  await history.uses.add(customerId, featureId, 1.25, T - 1_000, {
    properties: { q: 'a "quoted", text\nof two lines' },
    source: '=HYPERLINK("http://evil.example")',
  });
  // More than the sockets at both ends hold.
  await world.service.database.query(
    `INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id, quantity,
        source, deductions, answer, recorded_at, properties)
      SELECT $1, 'sandbox', 'key_' || n, 'uev_' || lpad(n::text, 6, '0'), '', $2, $3, n, 'api', '[]', '{}',
             timestamptz '2026-05-05T10:00:00Z' + (n / 3) * interval '1 second', json_build_object('text', text, 'more', text)
        FROM generate_series(1, ${COUNT}) n, repeat('x', CASE WHEN n > ${SHORT} THEN 950 ELSE 100 END) text`,
    [world.workspace.workspaceId, customerId, featureId],
  );
});

const url = (query: string): string => `${history.world.service.urls.sandbox}/v1/usage/export?${query}`;
const headers = (): Record<string, string> => ({ Authorization: `Bearer ${history.api.key}` });

async function exported(query: string): Promise<{ lines: string[]; response: Response }> {
  const response = await fetch(url(query), { headers: headers() });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return { lines: text.split(/\r?\n/).slice(0, -1), response };
}

interface Line {
  id: string;
  quantity: number;
  timestamp: string;
  cursor: string;
}
const parsed = (lines: string[]): Line[] => lines.map((line) => JSON.parse(line) as Line);

test('every use is a line, oldest first, with the limits of its key', async () => {
  const { lines, response } = await exported('format=ndjson');
  const uses = parsed(lines);
  expect(uses).toHaveLength(COUNT + 1);
  expect(new Set(uses.map(({ id }) => id)).size).toBe(COUNT + 1);
  expect(uses.slice(1).map(({ quantity }) => quantity)).toEqual(
    Array.from({ length: COUNT }, (_, n) => n + 1),
  );
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(response.headers.get('ratelimit')).toMatch(/"second";r=/);
  const few = parsed((await exported('format=ndjson&customer=ann&to=2026-05-05T10:00:02Z')).lines);
  expect(few.map(({ quantity }) => quantity)).toEqual([1.25, 1, 2, 3, 4, 5]);
});

test('from the cursor of any line the rest follows', async () => {
  const { lines } = await exported('format=ndjson&to=2026-05-05T10:06:00Z');
  const uses = parsed(lines);
  for (const at of [0, 1, 499, 500, 777, uses.length - 1]) {
    const after = uses[at]?.cursor ?? '';
    const rest = await exported(`format=ndjson&to=2026-05-05T10:06:00Z&after=${after}`);
    expect(rest.lines).toEqual(lines.slice(at + 1));
  }
});

test('a refused cursor’s fix names the parameter of an export', async () => {
  const response = await fetch(url('format=ndjson&after=x'), { headers: headers() });
  const { code, fix } = (await response.json()) as { code: string; fix: string };
  expect([response.status, code]).toEqual([400, 'cursor_invalid']);
  expect(fix).toContain('`after`');
});

test('a CSV has a header, and is continued without one', async () => {
  const { lines, response } = await exported('format=csv&to=2026-05-05T10:00:01Z');
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header, ...rows] = lines;
  expect(header).toBe(
    'id,externalId,customerId,feature,quantity,source,timestamp,recordedAt,late,entity,properties,idempotencyKey,deductions,reversedQuantity,reversalReason,reversedAt,cursor',
  );
  // The JSON contains no raw line break; the formula is text.
  expect(rows).toHaveLength(3);
  expect(rows[0]).toContain(`"'=HYPERLINK(""http://evil.example"")",2026-05-05T09:59:59.000Z`);
  expect(rows[0]).toContain('"{""q"":""a \\""quoted\\"", text\\nof two lines""}"');
  const cursor = rows[0]?.split(',').at(-1) ?? '';
  const rest = await exported(`format=csv&to=2026-05-05T10:00:01Z&after=${cursor}`);
  expect(rest.lines).toEqual(rows.slice(1));
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['\n=1+1', `"'\n=1+1"`],
  [' =1+1', "' =1+1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  // Spreadsheets that split lines at semicolons would run these.
  ['a;=1+1', "a;'=1+1"],
  ['a; -1;b', "a;' -1;b"],
  ['a;"=1+1;b', `"a;'""=1+1;b"`],
  ['a\n=1+1', `"a\n'=1+1"`],
  ['a;b=1', 'a;b=1'],
  ['a=1', 'a=1'],
  ['say "x"', '"say ""x"""'],
  ['a,b', '"a,b"'],
  ['=a,"b"', `"'=a,""b"""`],
  ['a\nb', '"a\nb"'],
  [-5, '-5'],
  [null, ''],
  [false, 'false'],
])('%j stands in a cell as %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test('JSON stands in one line also for clients that split text at every line end of Unicode', () => {
  const use = {
    id: 'uev_1',
    externalId: 'ann',
    customerId: 'cus_1',
    feature: 'tokens',
    quantity: 1,
    source: 'a\u2028b',
    timestamp: '2026-05-05T10:00:00.000Z',
    recordedAt: '2026-05-05T10:00:00.000Z',
    late: false,
    entity: null,
    properties: { text: '\u0085 and \u2029' },
    idempotencyKey: 'key',
    deductions: [],
    reversal: null,
  };
  const [line = '', ...more] = ndjsonLine({ use, cursor: 'x' }).split(/[\n\u0085\u2028\u2029]/);
  expect(more).toEqual(['']);
  expect(JSON.parse(line)).toEqual({ ...use, cursor: 'x' });
  expect(csvLine({ use, cursor: 'x' })).toContain(String.raw`"{""text"":""\u0085 and \u2029""}"`);
});

test('a client that reads slowly holds no connection and no transaction, and one that goes away leaves nothing', async () => {
  const { database } = history.world.service;
  const reads = async (): Promise<number> => {
    const [row] = await database.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
    );
    return Number(row?.count);
  };
  const { workspace } = history.world;
  const keys = await Promise.all([1, 2, 3].map(() => createKey(database, workspace.sandbox, ['read'])));
  const begin = async (key = ''): Promise<{ client: ClientRequest; answer: IncomingMessage }> => {
    const ofKey = { Authorization: `Bearer ${key}` };
    const client = request(url('format=ndjson'), { headers: ofKey, agent: false }).end();
    const [answer] = (await once(client, 'response')) as [IncomingMessage];
    if (answer.statusCode === 503) {
      // This export waited too long for a connection behind the others.
      answer.resume();
      return begin(key);
    }
    answer.pause();
    return { client, answer };
  };
  // One more than a key may have at once.
  const asked = await Promise.all(Array.from({ length: 6 }, () => begin(keys[0])));
  const statuses = asked.map(({ answer }) => answer.statusCode);
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429]);
  const others = await Promise.all(Array.from({ length: 5 }, () => begin(keys[1])));
  expect(new Set(others.map(({ answer }) => answer.statusCode))).toEqual(new Set([200]));
  // Ten are in progress, all that an organization may have.
  const beyond = await fetch(url('format=ndjson'), { headers: { Authorization: `Bearer ${keys[2]}` } });
  expect(beyond.headers.get('retry-after')).toBe('5');
  expect(await beyond.json()).toMatchObject({ status: 429, code: 'too_many_exports' });
  const underWay = [...asked, ...others];
  // Once the sockets are full, nothing is read.
  await until(async () => (await reads()) === 0);
  expect((await history.api.send('GET', '/v1/usage/events?take=1')).status).toBe(200);
  for (const { client, answer } of underWay) {
    client.on('error', () => undefined);
    answer.on('error', () => undefined);
    client.destroy();
  }
  await until(async () => (await reads()) === 0);
  // None of them counts as in progress any longer.
  await until(async () => {
    const again = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const few = await fetch(url('format=ndjson&to=2026-05-05T10:00:01Z'), {
          headers: { Authorization: `Bearer ${keys[0]}` },
        });
        await few.text();
        return few.status;
      }),
    );
    return again.every((status) => status === 200);
  });
});

test('an export whose key is revoked meanwhile ends, and not as a complete one', async () => {
  const { service, workspace } = history.world;
  const key = await createKey(service.database, workspace.sandbox, ['read']);
  const client = request(url('format=ndjson'), { headers: { Authorization: `Bearer ${key}` }, agent: false });
  const [answer] = (await once(client.end(), 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  const [first] = (await once(answer, 'data')) as [Buffer];
  answer.pause();
  await service.database.query(
    'UPDATE tollgate.api_keys SET revoked_at = now() WHERE workspace_id = $1 AND last_four = $2',
    [workspace.workspaceId, key.slice(-4)],
  );
  // Longer than a process caches a key.
  service.clock.ahead += 5_000;
  let text = first.toString();
  await expect(
    (async () => {
      for await (const chunk of answer) text += String(chunk);
    })(),
  ).rejects.toThrow('aborted');
  expect(text.split('\n').length).toBeLessThan(COUNT);
});

test('a use that has no time in the window is not waited for: the end is the request’s', async () => {
  const customerId = await history.world.seed.customer('ahead');
  await history.uses.add(customerId, featureId, 5, Date.now() + HOUR_MS);
  await history.uses.add(customerId, featureId, 6, Date.now() - 1_000);
  const { lines } = await exported('format=ndjson&customer=ahead');
  expect(parsed(lines).map(({ quantity }) => quantity)).toEqual([6]);
});
