import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Client } from '@temporalio/client';
import { nextWakeSweep } from '../../workflows/next-wake-sweep';
import { systemClock } from '../../src/clock/system-clock';
import { openDatabase, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes';
import { billingQueue } from '../../src/temporal/task-queues';
import { erasureWorkflowId } from '../../src/temporal/workflow-ids';
import { tablesNaming } from '../erasure/erasing';
import { textOfHistory } from '../support/history-text';
import { UsageWorkspace } from '../support/usage-workspace';
import { logIn, type OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { startDyingWorker } from './start-dying-worker';
import { startDevServer, startRelay, startWorker, type Running } from './installation';

/** An erasure through the outbox and Temporal, with workers that die. */
let ours: UsageWorkspace;
let operator: OperatorClient;
let temporal: TemporalServer;
let client: Client;
let relay: Running | undefined;
let worker: Running | undefined;
let first: ChildProcess | undefined;
let holder: Database;
beforeAll(async () => {
  [ours, temporal] = await Promise.all([UsageWorkspace.start(), startDevServer()]);
  client = createTemporalClient({ address: temporal.address, namespace: 'default' });
  await ensureSearchAttributes(client, systemClock, createLogger('test', 'fatal'));
  operator = await logIn(ours.service, { role: 'admin', workspaceId: ours.workspace.workspaceId });
  const log = createLogger('test', 'fatal');
  // Not one of the service's roles, so that nothing waits for the transaction it holds open.
  holder = openDatabase(ours.service.database.adminUrl, { max: 1, applicationName: 'holder', log });
});
afterEach(async () => {
  first?.kill('SIGKILL');
  await worker?.stop();
  await relay?.stop();
  [first, worker, relay] = [undefined, undefined, undefined];
});
afterAll(async () => {
  await client.connection.close();
  await temporal.stop();
  await holder.destroy();
  await ours.stop();
});

/** Creates a customer with some usage and nothing open. */
async function used(): Promise<{ customerId: string; externalId: string }> {
  const { customerId, subscriptionId, externalId } = await ours.subscribed(
    {},
    { feature: 'api_calls', quota: 100 },
  );
  for (let use = 0; use < 3; use += 1) await ours.api.track(externalId, 'api_calls', 1, randomUUID());
  await ours.service.database.query(
    `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = now(), next_wake_at = NULL WHERE id = $1`,
    [subscriptionId],
  );
  const name = `jane-${randomUUID()}`;
  await ours.service.database.query('UPDATE tollgate.customers SET name = $2 WHERE id = $1', [
    customerId,
    name,
  ]);
  return { customerId, externalId };
}

async function erase(customerId: string): Promise<string> {
  const { status, body } = await operator.delete(`/api/customers/${customerId}`);
  expect(status).toBe(202);
  return String(body['id']);
}

const statusOf = async (id: string): Promise<unknown> =>
  (await operator.get(`/api/customer-erasures/${id}`)).body['status'];
const isComplete = async (id: string): Promise<boolean> => (await statusOf(id)) === 'complete';

/** Returns the tables that contain the external id. It is short, so the search is for its quoted JSON form. */
const named = (externalId: string) => tablesNaming(ours.service.database, [`"${externalId}"`]);

test.each(['before', 'during', 'after'] as const)(
  'a worker that is killed %s a batch: another one goes on, and completes it',
  async (moment) => {
    const { customerId, externalId } = await used();
    const url = ours.service.database.url('tollgate_worker');
    const child = await startDyingWorker('dying-worker', [temporal.address, url, 'eraseNext', moment]);
    first = child;
    const died = once(child, 'exit');
    relay = startRelay(ours.service.database, temporal.address);
    const { database, workspace } = { database: ours.service.database, workspace: ours.workspace };
    let id = '';
    if (moment === 'during') {
      await inWorkspace(holder, workspace.sandbox, 'SYSTEM', async (trx) => {
        await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
        await trx.raw('SELECT FROM tollgate.usage_events WHERE customer_id = ? FOR UPDATE', [customerId]);
        id = await erase(customerId);
        await until(async () => {
          const rows = await database.query(
            `SELECT FROM pg_stat_activity WHERE application_name = 'dying-worker' AND wait_event_type = 'Lock'
                AND query LIKE '%UPDATE tollgate.usage_events%'`,
          );
          return rows.length > 0;
        });
        child.kill('SIGKILL');
        await died;
      });
      // The batches before are kept; the rest has not run.
      const [row] = await database.query<{ step: string }>(
        'SELECT step FROM tollgate.customer_erasures WHERE id = $1',
        [id],
      );
      expect(row?.step).toBe('usage');
      expect(await statusOf(id)).toBe('running');
    } else {
      id = await erase(customerId);
      await died;
    }
    worker = startWorker(database, temporal.address);
    await until(() => isComplete(id));
    expect(await named(externalId)).toEqual([]);
    const handle = client.workflow.getHandle(erasureWorkflowId('sandbox', id));
    await until(async () => (await handle.describe()).status.name === 'COMPLETED');
    const text = textOfHistory((await handle.fetchHistory()).events);
    expect(text).toContain(id);
    expect(text).not.toContain(externalId);
    const answer = await operator.get(`/api/customer-erasures/${id}`);
    expect(answer.body['blanked']).toMatchObject({ usage: 3 });
  },
);

test('an erasure whose signal was lost is found by the sweep', async () => {
  const { customerId, externalId } = await used();
  const id = await erase(customerId);
  const { database } = ours.service;
  // No relay runs, so delete the job as if it were lost, and make the erasure overdue for the sweep.
  await database.query('DELETE FROM graphile_worker._private_jobs');
  await database.query(
    `UPDATE tollgate.customer_erasures SET next_wake_at = next_wake_at - interval '1 hour' WHERE id = $1`,
    [id],
  );
  worker = startWorker(database, temporal.address);
  const sweep = await client.workflow.start(nextWakeSweep, {
    workflowId: `sweep-${randomUUID()}`,
    taskQueue: billingQueue('sandbox'),
    args: ['sandbox'],
  });
  expect(await sweep.result()).toBe(1);
  await until(() => isComplete(id));
  expect(await named(externalId)).toEqual([]);
});
