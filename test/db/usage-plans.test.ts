import { openPipelinedPool } from '../../src/db/pools';
import type { Statement } from '../../src/db/pipeline';
import { createLogger } from '../../src/telemetry/logger';
import { readEntityCounters } from '../../src/usage/entity-store';
import { readCounters } from '../../src/usage/past-usage-store';
import { readReservations } from '../../src/usage/reservation-store';
import { readContext } from '../../src/usage/usage-context-store';
import { readUsedKeys } from '../../src/usage/track-idempotency-store';
import { createTestDatabase, type TestDatabase } from '../support/database';

/*
 * A plan made while a table is empty is kept (docs/decisions/usage-plans.md): every index then looks equally cheap, and
 * an index that begins like the key's could be chosen for a lookup by key.
 */
const SCOPE = { workspaceId: 'org_1', environment: 'sandbox' } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Returns the conditions of the plan's index scans, with their indexes. */
async function lookUps(statement: Statement): Promise<{ index: string; condition: string }[]> {
  const lines = await planOf(statement);
  return lines.flatMap((line, at) => {
    const index = /Index (?:Only )?Scan (?:Backward )?using (\w+)/.exec(line)?.[1];
    return index === undefined ? [] : [{ index, condition: lines[at + 1] ?? '' }];
  });
}

async function planOf(statement: Statement): Promise<string[]> {
  const pool = openPipelinedPool(database.url('tollgate_app'), {
    max: 1,
    applicationName: 'plans',
    log: createLogger('test', 'silent'),
  });
  try {
    await pool.query(`PREPARE looked AS ${statement.text}`);
    const values = statement.values.map((value) => `'${value ?? ''}'`).join();
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE looked(${values})`);
    const lines = rows.map((row) => row['QUERY PLAN'].trim());
    expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([]);
    return lines;
  } finally {
    await pool.end();
  }
}

test('a key is looked up by its own index in each partition', async () => {
  const scans = await lookUps(readUsedKeys(SCOPE, ['a', 'b']));
  expect(scans.map(({ index }) => index)).toEqual([
    ...['00', '01', '02', '03'].map((partition) => `usage_events_${partition}_pkey`),
    'idempotency_answers_pkey',
    'operations_workspace_id_environment_idempotency_key_key',
  ]);
  expect(scans.filter(({ condition }) => !condition.includes('idempotency_key'))).toEqual([]);
});

test('what reservations hold is looked up by customer and expiry, and each by its id', async () => {
  const ofContext = await lookUps(readContext(SCOPE, [{ externalId: 'a', feature: 'f' }], 0));
  expect(ofContext.filter(({ index }) => index.startsWith('usage_reservations'))).toEqual([
    {
      index: 'usage_reservations_held',
      condition: expect.stringMatching(/customer_id.*expires_at/) as unknown,
    },
  ]);
  expect(await lookUps(readReservations(SCOPE, ['rsv_1']))).toEqual([
    { index: 'usage_reservations_pkey', condition: expect.stringContaining('id = ') as unknown },
  ]);
});

test('what entities hold is looked up by customer and expiry, and that of other entities is left out by a hash', async () => {
  const key = {
    customerId: 'c',
    featureId: 'f',
    entity: 'e',
    subscriptionId: 's',
    ...({ resetInterval: 'day', periodStart: 0 } as const),
  };
  const counters = readEntityCounters(SCOPE, [key], { decidedAt: 0, except: new Set() });
  expect(await lookUps(counters)).toEqual([
    {
      index: 'usage_reservations_held',
      condition: expect.stringMatching(/customer_id.*expires_at/) as unknown,
    },
    { index: 'entity_counters_pkey', condition: expect.stringContaining('period_start') as unknown },
  ]);
  expect(await planOf(counters)).toContainEqual(expect.stringMatching(/^Filter: .*entity.*hashed SubPlan/));
});

test('grants are looked up by customer and expiry, so that expired ones are not read', async () => {
  const ofContext = await lookUps(readContext(SCOPE, [{ externalId: 'a', feature: 'f' }], 0));
  expect(ofContext.filter(({ index }) => index.startsWith('credit_grants'))).toEqual([
    {
      index: 'credit_grants_unspent',
      condition: expect.stringMatching(/customer_id.*expires_at IS NULL/) as unknown,
    },
    {
      index: 'credit_grants_unspent',
      condition: expect.stringMatching(/customer_id.*expires_at >/) as unknown,
    },
  ]);
});

test('counters of the past are looked up by their whole key', async () => {
  const key = {
    customerId: 'c',
    featureId: 'f',
    subscriptionId: 's',
    ...({ resetInterval: 'day', periodStart: 0 } as const),
  };
  expect(await lookUps(readCounters(SCOPE, [key]))).toEqual([
    { index: 'usage_counters_pkey', condition: expect.stringContaining('period_start') as unknown },
  ]);
});
