import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { rescheduleWorkflowId } from '../../src/temporal/workflow-ids';
import { startDevServer, startRelay, startWorkerWith } from './installation';
import { QuickBilling } from './quick-billing';

const JOB = { workspaceId: 'org_settings', environment: 'production' } as const;

let database: TestDatabase;
let server: TemporalServer;
let directory: string;
let worker: ReturnType<typeof startWorkerWith>;
let relay: ReturnType<typeof startRelay>;
let batches: number;
/** Whether a batch waits, as if it had many subscriptions. */
let isHeld: boolean;
const store = () => path.join(directory, 'temporal');

beforeEach(async () => {
  [batches, isHeld] = [0, false];
  directory = await mkdtemp(path.join(os.tmpdir(), 'tollgate-reschedule-'));
  const file = path.join(store(), 'temporal.db');
  await mkdir(store());
  [database, server] = await Promise.all([createTestDatabase(), startDevServer(undefined, file)]);
  const { activities } = new QuickBilling();
  worker = startWorkerWith(server.address, () => ({
    ...activities,
    billing: {
      ...activities.billing,
      rescheduleSubscriptions: async () => {
        batches += 1;
        await until(() => !isHeld);
        return { after: null, moved: 0 };
      },
    },
  }));
  relay = startRelay(database, server.address);
});
afterEach(async () => {
  isHeld = false;
  await relay.stop();
  await worker.stop();
  await server.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});

const jobs = () =>
  database.query<{ last_error: string | null; attempts: number }>(
    'SELECT last_error, attempts FROM graphile_worker.jobs',
  );
const attempts = async (): Promise<number> => (await jobs())[0]?.attempts ?? 0;

/** Leaves the job that a change of the settings leaves. */
async function changeSettings(): Promise<void> {
  await database.query(`SELECT tollgate.enqueue('reschedule-subscriptions', $1, 'reschedule')`, [
    JSON.stringify(JOB),
  ]);
}

/** Waits until the workflow that the job has signalled runs its given batch. */
async function isRescheduling(batch: number): Promise<void> {
  await until(() => batches === batch);
  await until(async () => (await jobs())[0]?.last_error?.startsWith('The subscriptions are being') === true);
}

/** Waits, and has the job tried again at once instead of after its pause. */
function retriedUntil(done: () => boolean | Promise<boolean>): Promise<void> {
  return until(async () => {
    await database.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');
    return done();
  });
}

const isDone = async (): Promise<boolean> => (await jobs()).length === 0;

function workflow() {
  return worker.client.workflow.getHandle(rescheduleWorkflowId(JOB.environment, JOB.workspaceId));
}

test('a rescheduling that is terminated in the middle begins again, and its job ends with it', async () => {
  isHeld = true;
  await changeSettings();
  await isRescheduling(1);
  await workflow().terminate();
  await retriedUntil(() => batches === 2);
  // Attempts follow each other: once the second one from here begins, the first has ended.
  const before = await attempts();
  await retriedUntil(async () => (await attempts()) >= before + 2);
  isHeld = false;
  await retriedUntil(isDone);
  expect((await workflow().describe()).status.name).toBe('COMPLETED');
  // A retry while it was running has not begun it once more.
  expect(batches).toBe(2);
});

test('a rescheduling that Temporal has forgotten, restored to an earlier time, begins again', async () => {
  const port = Number(server.address.split(':')[1]);
  const restart = async (from: string, to: string): Promise<void> => {
    await server.stop();
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true });
    server = await startDevServer(port, path.join(store(), 'temporal.db'));
  };
  await changeSettings();
  await retriedUntil(isDone);
  const backup = path.join(directory, 'backup');
  await restart(store(), backup);
  isHeld = true;
  await changeSettings();
  await isRescheduling(2);
  await restart(backup, store());
  isHeld = false;
  await retriedUntil(isDone);
  expect(batches).toBe(3);
});
