import { Client } from 'pg';
import { newIdentifier } from '../../src/identifiers/identifier';
import { createLogger } from '../../src/telemetry/logger';
import { rollUpUsage } from '../../src/usage-history/roll-up';
import { EntryPoint } from '../support/entry-point';
import { untilLockWaits } from '../support/lock-waits';
import { until } from '../support/until';
import { HistoryWorkspace } from './history-workspace';

const T = Date.parse('2026-05-05T10:00:00Z');
const DAY = { interval: 'day', from: '2026-05-05T00:00:00Z', to: '2026-05-06T00:00:00Z', timeZone: 'UTC' };

let history: HistoryWorkspace;
let featureId: string;
let customers: string[];
beforeEach(async () => {
  history = await HistoryWorkspace.start();
  featureId = await history.feature('tokens', ['model']);
  customers = [await history.world.seed.customer('ann'), await history.world.seed.customer('bob')];
});
afterEach(() => history.stop());

const customer = (n: number): string => customers[n % customers.length] ?? '';

async function useSome(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await history.uses.add(customer(n), featureId, n + 1, T + n * 60_000, {
      properties: { model: n % 3 === 0 ? 'a' : 'b' },
    });
  }
}

const total = (): number =>
  history.uses.uses.reduce((sum, { quantity, reversed }) => sum + quantity - reversed, 0);

/** Requires that every way to read the sum agrees, and that the verifier does too. */
async function expectExact(): Promise<void> {
  for (const more of [
    {},
    { groupBy: 'customer' },
    { groupBy: 'dimension', dimension: 'model', feature: 'tokens' },
    { groupBy: 'feature' },
  ]) {
    const { quantity, events, groups } = await history.series({ ...DAY, ...more });
    expect([quantity, events]).toEqual([total(), history.uses.uses.length]);
    expect(groups.reduce((sum, group) => sum + group.quantity, 0)).toBe(total());
    expect(groups.every((group) => group.quantity >= 0)).toBe(true);
  }
  expect(await history.differences()).toEqual({});
}

async function admin(): Promise<Client> {
  const client = new Client({ connectionString: history.world.service.database.adminUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function maintain(args: string[]): EntryPoint {
  const { database } = history.world.service;
  return new EntryPoint(
    'maintain',
    {
      TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
      TOLLGATE_DATABASE_MIGRATOR_URL: database.url('tollgate_migrator'),
    },
    { args },
  );
}

test.each(['usage_customer_days', 'usage_customer_months', 'usage_value_days'])(
  'a maintain that is killed while it adds to %s doubles nothing and loses nothing',
  async (table) => {
    const { database } = history.world.service;
    await useSome(8);
    await history.rollUp();
    await useSome(12);
    const blocker = await admin();
    await blocker.query(`BEGIN; LOCK TABLE tollgate.${table} IN SHARE MODE`);
    const killed = maintain([]);
    await until(async () => {
      const waiting = await database.query(
        `SELECT FROM pg_locks WHERE NOT granted AND relation = CAST($1 AS regclass)`,
        [`tollgate.${table}`],
      );
      return waiting.length > 0;
    });
    killed.kill();
    await killed.exit;
    await blocker.query('ROLLBACK');
    await blocker.end();
    await expectExact();
    expect((await maintain(['--once']).exit).code).toBe(0);
    await history.rollUpAll();
    await expectExact();
    const [rolled] = await database.query<{ events: string }>(
      `SELECT sum(events) AS events FROM tollgate.usage_quarters WHERE customer_id = '' AND feature_id = ''`,
    );
    expect(Number(rolled?.events)).toBe(20);
  },
);

test('a batch that fails at its last statement leaves nothing, and the next round continues', async () => {
  const { database } = history.world.service;
  await useSome(30);
  await database.query(
    `ALTER TABLE tollgate.usage_rollups ADD CONSTRAINT test_stop CHECK (watermark = '0') NOT VALID`,
  );
  let failure: unknown;
  await until(async () => {
    failure = await history.rollUp(10).catch((error: unknown) => error);
    return failure !== undefined;
  });
  expect(String(failure)).toContain('test_stop');
  expect(await database.query('SELECT FROM tollgate.usage_quarters')).toEqual([]);
  await expectExact();
  await database.query('ALTER TABLE tollgate.usage_rollups DROP CONSTRAINT test_stop');
  await history.rollUp(10);
  await history.rollUpAll();
  await expectExact();
});

test('a batch that takes too long is tried again with fewer rows', async () => {
  const { database } = history.world.service;
  await useSome(30);
  await database.query(
    `CREATE FUNCTION public.take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled';
     END $$`,
  );
  await database.query(
    `CREATE TRIGGER take_too_long BEFORE INSERT ON tollgate.usage_quarters FOR EACH ROW
       WHEN (NEW.events > 5) EXECUTE FUNCTION public.take_too_long()`,
  );
  await history.rollUpAll();
  await expectExact();
});

test('many rounds at once, while uses are recorded and taken back, count each once', async () => {
  const rolling = (async () => {
    for (let n = 0; n < 12; n += 1)
      await Promise.all([history.rollUp(5), history.rollUp(7), history.rollUp(3)]);
  })();
  for (let n = 0; n < 40; n += 1) {
    const use = await history.uses.add(customer(n), featureId, 10, T + n * 1_000, {
      properties: { model: `m${n % 4}` },
    });
    if (n % 5 === 0) await history.uses.reverse(use, n % 2 === 0 ? 10 : 4);
    if (n % 10 === 0) await expectExact();
  }
  await rolling;
  await expectExact();
  await history.rollUp();
  await expectExact();
});

test('a use whose transaction commits after later ones were rolled up is not skipped', async () => {
  const { service, workspace } = history.world;
  const slow = await admin();
  await slow.query('BEGIN');
  const id = newIdentifier('usageEvent');
  await slow.query(
    `INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id,
       quantity, source, deductions, answer, recorded_at) VALUES ($1, 'sandbox', 'slow', $2, '\\x00', $3, $4, 1000, 'api', '[]', '{}', $5)`,
    [workspace.workspaceId, id, customer(0), featureId, new Date(T)],
  );
  await useSome(6);
  await history.rollUp();
  await expectExact();
  await slow.query('COMMIT');
  await slow.end();
  history.uses.uses.push({
    id,
    customerId: customer(0),
    featureId,
    quantity: 1000,
    at: T,
    properties: null,
    reversed: 0,
  });
  await expectExact();
  await history.rollUpAll();
  await expectExact();
  const [state] = await service.database.query<{ passed: boolean }>(
    `SELECT watermark > (SELECT max(transaction_id) FROM tollgate.usage_events) AS passed FROM tollgate.usage_rollups`,
  );
  expect(state?.passed).toBe(true);
});

test('a workspace without news is not touched', async () => {
  const { database } = history.world.service;
  await useSome(3);
  await history.rollUpAll();
  const state = (): Promise<unknown> => database.query('SELECT xmin, ctid, * FROM tollgate.usage_rollups');
  const before = await state();
  expect(before).toHaveLength(1);
  await history.rollUp();
  await history.rollUp();
  expect(await state()).toEqual(before);
  await useSome(1);
  await history.rollUpAll();
  expect(await state()).not.toEqual(before);
});

test('of more than a thousand values of a dimension, those beyond are one', async () => {
  const add = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1)
      await history.uses.add(customer(n), featureId, 1, T, { properties: { model: `value ${n}` } });
  };
  const shown = async (limit: number): Promise<[number, number, number]> => {
    const { groups, quantity } = await history.series({
      ...DAY,
      groupBy: 'dimension',
      dimension: 'model',
      feature: 'tokens',
      limit: String(limit),
    });
    const other = groups.find(({ kind }) => kind === 'other');
    return [groups.filter(({ kind }) => kind === 'value').length, other?.quantity ?? 0, quantity];
  };
  await add(0, 990);
  await history.rollUpAll();
  await add(990, 1_010);
  const overflow = await history.uses.add(customer(0), featureId, 500, T, {
    properties: { model: 'too late' },
  });
  // Of the tail's twenty, ten have room.
  expect(await shown(100)).toEqual([100, 1_510 - 100, 1_510]);
  await history.rollUp();
  expect(await shown(100)).toEqual([100, 1_510 - 100, 1_510]);
  await history.uses.add(customer(1), featureId, 700, T, { properties: { model: 'value 7' } });
  await history.uses.reverse(overflow, 500);
  const expected = [1, 1_710 - 701, 1_710];
  expect(await shown(1)).toEqual(expected);
  await history.rollUp(50);
  await history.rollUpAll();
  expect(await shown(1)).toEqual(expected);
  expect(await history.differences()).toEqual({});
  const [values] = await history.world.service.database.query<{ count: string }>(
    'SELECT count(*) FROM tollgate.usage_values',
  );
  expect(Number(values?.count)).toBe(1_000);
});

test('a dimension that is dropped is deleted, and starts empty when it is declared again', async () => {
  const { database } = history.world.service;
  await useSome(5);
  await history.rollUpAll();
  const declare = (dimensions: string[]) =>
    history.operator.patch(`/api/features/${featureId}`, { body: { dimensions } });
  const grouped = () =>
    history.series({ ...DAY, groupBy: 'dimension', dimension: 'model', feature: 'tokens' });
  const groups = async () => (await grouped()).groups.map(({ key, events }) => [key, events]);
  expect(await groups()).toEqual([
    ['b', 3],
    ['a', 2],
  ]);
  expect((await declare([])).status).toBe(200);
  await expect(grouped()).rejects.toThrow('dimension_not_declared');
  expect((await declare(['model'])).status).toBe(200);
  expect(await groups()).toEqual([[null, 5]]);
  await useSome(2);
  const expected = [
    [null, 5],
    ['b', 1],
    ['a', 1],
  ];
  expect(await groups()).toEqual(expected);
  await history.rollUp(1);
  await history.rollUpAll();
  expect(await groups()).toEqual(expected);
  expect(await history.differences()).toEqual({});
  const left = await database.query('SELECT name, dropped FROM tollgate.usage_dimensions');
  expect(left).toEqual([{ name: 'model', dropped: false }]);
});

test('the verifier names sums that are not those of the uses', async () => {
  const { database } = history.world.service;
  await useSome(4);
  await history.rollUpAll();
  expect(await history.differences()).toEqual({});
  await database.query(
    `UPDATE tollgate.usage_quarters SET quantity = quantity + 1 WHERE customer_id <> '' AND quarter = $1 AND customer_id = $2`,
    [new Date(T), customer(0)],
  );
  await database.query(`UPDATE tollgate.usage_customer_days SET events = 9 WHERE feature_id = ''`);
  await database.query(
    `UPDATE tollgate.usage_customer_months SET quantity = 0 WHERE customer_id = $1 AND feature_id = ''`,
    [customer(1)],
  );
  await database.query('DELETE FROM tollgate.usage_value_days WHERE number = 1');
  await database.query(`UPDATE tollgate.usage_value_quarters SET quantity = 0 WHERE number = -1`);
  await database.query(`UPDATE tollgate.features SET dimensions = '{}'`);
  const found = await history.differences();
  expect(found).toMatchObject({
    quarterDifferences: [
      expect.stringMatching(`usage of customer ${customer(0)}.*sum 5 of 2 uses, the uses make 4 of 2`),
    ],
    customerDayDifferences: [expect.stringContaining('of 9 uses'), expect.stringContaining('of 9 uses')],
    customerMonthDifferences: [
      expect.stringMatching(`customer ${customer(1)}, .* sum 0 of 9 uses, its days make 6 of 9`),
    ],
    customerSumDifferences: [
      expect.stringMatching('the workspace has 10, its features 10, its customers 11'),
    ],
    valueDayDifferences: [expect.stringContaining('value 1 of dimension')],
    valueQuarterDifferences: [expect.stringContaining('value -1 of dimension')],
    dimensionDifferences: [expect.stringContaining('declares {}, is broken down by {model}')],
  });
});

test('a rebuild recomputes them, and is exact all the time', async () => {
  const { database } = history.world.service;
  await useSome(9);
  await history.rollUpAll();
  await database.query('UPDATE tollgate.usage_quarters SET quantity = 7777');
  await database.query('UPDATE tollgate.usage_customer_months SET quantity = 7777');
  const rebuild = new EntryPoint('usage-rebuild', {
    TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
  });
  expect([(await rebuild.exit).code, rebuild.output]).toEqual([
    0,
    expect.stringContaining('have been rebuilt'),
  ]);
  await expectExact();
  const [state] = await database.query<{ watermark: string }>(
    'SELECT watermark::text FROM tollgate.usage_rollups',
  );
  expect(state?.watermark).toBeDefined();
  await history.rollUpAll();
  await expectExact();
});

test('after a dump was restored elsewhere, nothing is read from the sums until they are rebuilt', async () => {
  const { database } = history.world.service;
  await useSome(6);
  await history.rollUpAll();
  const [use] = history.uses.uses;
  if (use === undefined) throw new Error('There is no use.');
  await history.uses.reverse(use, 1);
  // As a new cluster sees rows of another one whose transaction ids were further ahead.
  await database.query(`UPDATE tollgate.usage_rollups SET cluster = 1, watermark = '999999999'`);
  await database.query(`UPDATE tollgate.usage_events SET transaction_id = '999999998'`);
  await database.query(`UPDATE tollgate.usage_reversals SET transaction_id = '999999999'`);
  await useSome(3);
  const sums = async () => {
    const { quantity, events } = await history.series(DAY);
    return [quantity, events];
  };
  expect(await sums()).toEqual([total(), 9]);
  await history.rollUp();
  expect(await sums()).toEqual([total(), 9]);
  expect(await history.differences()).toMatchObject({
    foreignRollups: [expect.stringContaining('usage:rebuild')],
  });
  const rebuild = new EntryPoint(
    'usage-rebuild',
    { TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker') },
    { args: ['--restored', '--workspace', history.world.workspace.workspaceId] },
  );
  expect((await rebuild.exit).code).toBe(0);
  await useSome(2);
  await expectExact();
  await history.rollUp();
  await expectExact();
});

test('a rebuild waits for a process that is rolling up, until nothing is left', async () => {
  await useSome(20);
  const { service } = history.world;
  const other = await admin();
  await history.rollUp(3);
  await history.uses.add(customer(0), featureId, 5, T);
  await other.query('BEGIN');
  await other.query('SELECT FROM tollgate.usage_rollups FOR UPDATE');
  let ended = false;
  const log = createLogger('test', 'silent');
  const waiting = rollUpUsage(history.worker, log, { whenLocked: 'wait' }).then(() => (ended = true));
  await untilLockWaits(service.database);
  expect(ended).toBe(false);
  await other.query('COMMIT');
  await other.end();
  await waiting;
  await expectExact();
});
