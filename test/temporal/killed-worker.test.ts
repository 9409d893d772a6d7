import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import { openDatabase, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { DAY_MS } from '../../src/domain/instant';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes';
import { createCommandSender } from '../../src/temporal/command-sender';
import { createCustomer, idOf, subscribe } from '../catalog/offer';
import { command, dataOf, historyOf, twoPlans } from '../support/billing';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { until } from '../support/until';
import { startDyingWorker } from './start-dying-worker';
import { startDevServer, startRelay, startWorker, type Running } from './installation';

type Moment = 'before' | 'during' | 'after';

let service: TestService;
let temporal: TemporalServer;
let client: Client;
let relay: Running;
let second: Running | undefined;
let first: ChildProcess | undefined;
let holder: Database;
beforeAll(async () => {
  temporal = await startDevServer();
  client = createTemporalClient({ address: temporal.address, namespace: 'default' });
  await ensureSearchAttributes(client, systemClock, createLogger('test', 'fatal'));
  service = await startTestService({ commands: () => createCommandSender(client, systemClock) });
  const log = createLogger('test', 'fatal');
  holder = openDatabase(service.database.url('tollgate_worker'), { max: 1, applicationName: 'holder', log });
  relay = startRelay(service.database, temporal.address);
});
afterEach(async () => {
  first?.kill('SIGKILL');
  await second?.stop();
  [first, second] = [undefined, undefined];
});
afterAll(async () => {
  await relay.stop();
  await client.connection.close();
  await temporal.stop();
  await holder.destroy();
  await service.stop();
});

/** Starts the worker that dies at a moment of its first call of an activity. */
function startFirst(activity: string, moment: Moment): Promise<ChildProcess> {
  const url = service.database.url('tollgate_worker');
  return startDyingWorker('dying-worker', [temporal.address, url, activity, moment]);
}

/**
 * Makes the first worker die in the middle of `act`, and starts a second one that continues its work.
 *
 * @returns the answer to the caller of the first worker
 */
async function dying(options: {
  activity: 'takeStep' | 'runOperation';
  moment: Moment;
  operator: OperatorClient;
  subscriptionId: string;
  act: () => Promise<ConsoleAnswer>;
}): Promise<ConsoleAnswer> {
  const { activity, moment, operator, subscriptionId, act } = options;
  const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
  const child = await startFirst(activity, moment);
  first = child;
  const died = once(child, 'exit');
  let sent: Promise<ConsoleAnswer> | undefined;
  if (moment === 'during') {
    // Its transaction waits for the row and is killed there. (Foreign-key checks of the row are not blocked.)
    await inWorkspace(holder, scope, 'SYSTEM', async (trx) => {
      await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
      await trx.raw('SELECT FROM tollgate.subscriptions WHERE id = ? FOR NO KEY UPDATE', [subscriptionId]);
      sent = act();
      await until(async () => (await waiting()) > 0);
      child.kill('SIGKILL');
      await died;
    });
  } else {
    sent = act();
    await died;
  }
  second = startWorker(service.database, temporal.address);
  return sent ?? act();
}

/** Backends of the dying worker that wait for a lock. */
async function waiting(): Promise<number> {
  const rows = await service.database.query(
    `SELECT FROM pg_stat_activity WHERE application_name = 'dying-worker' AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}

/** Opens a subscription that renews once within the next five days, however long this month is. */
async function opened(): Promise<{ operator: OperatorClient; id: string; pro: string }> {
  const operator = await logIn(service, { role: 'admin' });
  const { starter, pro } = await twoPlans(operator);
  const { externalId } = await createCustomer(operator);
  const anchor = new Date(Date.now() - 27 * DAY_MS).toISOString();
  const id = idOf(await subscribe(operator, { externalId, planId: starter, seats: 2, anchor }));
  return { operator, id, pro };
}

async function transactionsOf(operator: OperatorClient, subscriptionId: string): Promise<unknown[]> {
  const all = dataOf(await operator.get('/api/billing/transactions', { query: { subscriptionId } }));
  return all.map(({ kind }) => kind).sort();
}

test.each<[Moment]>([['before'], ['during'], ['after']])(
  'a worker that is killed %s a renewal’s transaction: one renewal, one transaction',
  async (moment) => {
    const { operator, id } = await opened();
    const to = new Date(Date.now() + 5 * DAY_MS).toISOString();
    const act = () => operator.post('/api/sandbox/clock', { body: { to } });
    await dying({ activity: 'takeStep', moment, operator, subscriptionId: id, act });
    await until(async () => (await historyOf(operator, id)).includes('period_turned'));
    expect(await historyOf(operator, id)).toEqual(['created', 'period_turned']);
    expect(await transactionsOf(operator, id)).toEqual(['initial', 'renewal']);
  },
);

test.each<[Moment]>([['before'], ['during'], ['after']])(
  'a worker that is killed %s an upgrade’s transaction: one upgrade, one transaction, one answer',
  async (moment) => {
    const { operator, id, pro } = await opened();
    const key = randomUUID();
    const act = () => command(operator, id, 'change', { body: { planId: pro }, key });
    const first = await dying({ activity: 'runOperation', moment, operator, subscriptionId: id, act });
    // The answer came in time, or the caller was asked to retry.
    expect([200, 202]).toContain(first.status);
    await until(async () => (await act()).status === 200);
    expect(await act()).toMatchObject({ status: 200, body: { effective: 'immediate' } });
    expect(await historyOf(operator, id)).toEqual(['created', 'upgraded']);
    expect(await transactionsOf(operator, id)).toEqual(['initial', 'proration']);
  },
);
