import { createTestDatabase } from '../support/database';
import { until } from '../support/until';
import { rescheduleWorkflowId } from '../../src/temporal/workflow-ids';
import { startDevServer, startRelay, startWorkerWith } from './installation';
import { QuickBilling } from './quick-billing';

const JOB = { workspaceId: 'org_settings', environment: 'production' } as const;

test('a rescheduling that is terminated in the middle begins again, and its job ends with it', async () => {
  const [database, server] = await Promise.all([createTestDatabase(), startDevServer()]);
  let batches = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { activities } = new QuickBilling();
  const worker = startWorkerWith(server.address, () => ({
    ...activities,
    billing: {
      ...activities.billing,
      rescheduleSubscriptions: async () => {
        batches += 1;
        await released;
        return { after: null, moved: 0 };
      },
    },
  }));
  const relay = startRelay(database, server.address);
  const workflow = worker.client.workflow.getHandle(rescheduleWorkflowId(JOB.environment, JOB.workspaceId));
  const jobs = () =>
    database.query<{ last_error: string; attempts: number }>(
      'SELECT last_error, attempts FROM graphile_worker.jobs',
    );
  const attempts = async (): Promise<number> => (await jobs())[0]?.attempts ?? 0;
  /** Waits, and has the job tried again at once instead of after its pause. */
  const retriedUntil = (done: () => boolean | Promise<boolean>): Promise<void> =>
    until(async () => {
      await database.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');
      return done();
    });
  try {
    await database.query(`SELECT tollgate.enqueue('reschedule-subscriptions', $1, 'reschedule')`, [
      JSON.stringify(JOB),
    ]);
    await until(() => batches === 1);
    await until(async () => (await jobs())[0]?.last_error === 'The subscriptions are being rescheduled.');
    await workflow.terminate();
    await retriedUntil(() => batches === 2);
    // Attempts follow each other: once the second one from here begins, the first has ended.
    const before = await attempts();
    await retriedUntil(async () => (await attempts()) >= before + 2);
    release();
    await retriedUntil(async () => (await jobs()).length === 0);
    expect((await workflow.describe()).status.name).toBe('COMPLETED');
    // A retry while it was running has not begun it once more.
    expect(batches).toBe(2);
  } finally {
    release();
    await relay.stop();
    await worker.stop();
    await server.stop();
    await database.drop();
  }
});
