import {
  holdClockOffset,
  lockClockOffset,
  readClockOffset,
  updateClockOffset,
} from '../../src/clock/sandbox-clock-store';
import { openDatabase, type Database, type DbTransaction } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';
import { createWorkspace, type TestWorkspace } from '../support/workspace';

const NOW = Date.parse('2031-01-01T12:00:00Z');

let fresh: TestDatabase;
let database: Database;
let workspace: TestWorkspace;
beforeAll(async () => {
  fresh = await createTestDatabase();
  const log = createLogger('test', 'silent');
  database = openDatabase(fresh.url('tollgate_app'), { max: 3, applicationName: 'clock', log });
});
beforeEach(async () => {
  workspace = await createWorkspace(fresh);
});
afterAll(async () => {
  await database.destroy();
  await fresh.drop();
});

const inSandbox = <Result>(work: (trx: DbTransaction) => Promise<Result>): Promise<Result> =>
  inWorkspace(database, workspace.sandbox, 'SYSTEM', work);
const advanceBy = (offsetMs: number): Promise<void> =>
  inSandbox(async (trx) => {
    await lockClockOffset(trx, workspace.sandbox, NOW);
    await updateClockOffset(trx, workspace.sandbox, offsetMs, NOW);
  });
/** Returns whether any session waits for a clock's lock in this database. */
const isAwaited = async (): Promise<boolean> => {
  const waiting = await fresh.query(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return waiting.length > 0;
};

test('an advance comes after a transaction that has set a timer by the clock, also the first one', async () => {
  let advance: Promise<void> | undefined;
  const seen = await inSandbox(async (trx) => {
    const held = await holdClockOffset(trx, workspace.sandbox);
    advance = advanceBy(1_000);
    await until(isAwaited);
    // A reader does not wait for the lock.
    return [held, await inSandbox((other) => readClockOffset(other, workspace.sandbox))];
  });
  expect(seen).toEqual([0, 0]);
  await advance;
  expect(await inSandbox((trx) => holdClockOffset(trx, workspace.sandbox))).toBe(1_000);
});

test('a timer that is set while the clock is advanced uses the new time', async () => {
  await advanceBy(1_000);
  let held: Promise<number> | undefined;
  await inSandbox(async (trx) => {
    await lockClockOffset(trx, workspace.sandbox, NOW);
    held = inSandbox((other) => holdClockOffset(other, workspace.sandbox));
    await until(isAwaited);
    await updateClockOffset(trx, workspace.sandbox, 2_000, NOW);
  });
  expect(await held).toBe(2_000);
});

test('production has no clock to hold', async () => {
  const { production } = workspace;
  const offset = await inWorkspace(database, production, 'SYSTEM', (trx) => holdClockOffset(trx, production));
  expect(offset).toBe(0);
});
