import type { Client } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities } from '../../activities';
import { systemClock } from '../../src/clock/clock';
import { openDatabase } from '../../src/db/pools';
import { findFreePort } from '../../src/embedded/free-port';
import { startTemporalServer, type TemporalServer } from '../../src/embedded/temporal-server';
import { runRelay } from '../../src/outbox/relay';
import { findOverdueSubscriptions } from '../../src/subscriptions/overdue-subscription-store';
import { createPeriodTurns } from '../../src/subscriptions/turn-period';
import { createLogger } from '../../src/telemetry/logger';
import { runBillingWorker } from '../../src/temporal/billing-worker';
import { createTemporalClient } from '../../src/temporal/client';
import { createPokeSubscription } from '../../src/temporal/poke-subscription';
import { workflowCode } from '../../src/temporal/workflow-code';
import type { TestDatabase } from '../support/database';

const log = createLogger('test', process.env['TOLLGATE_TEST_LOG'] ?? 'fatal');

/** A Temporal server as `npm start` runs it, in memory. */
export async function startDevServer(port?: number): Promise<TemporalServer> {
  const cliPath = process.env['TEMPORAL_CLI_PATH'];
  if (cliPath === undefined)
    throw new Error('Set TEMPORAL_CLI_PATH, or run this with npm test, which sets it.');
  return startTemporalServer({ cliPath, port: port ?? (await findFreePort()) });
}

/** A process's worth of service that is running until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

export function startRelay(
  database: TestDatabase,
  address: string,
  options: { log?: Logger } = {},
): Running & { client: Client } {
  const client = createTemporalClient({ address, namespace: 'default' });
  const stopping = new AbortController();
  const databaseUrl = database.url('tollgate_relay');
  const running = runRelay(
    { databaseUrl, client, clock: systemClock, log: options.log ?? log },
    stopping.signal,
  );
  return {
    client,
    stop: async () => {
      stopping.abort();
      await running;
      await client.connection.close();
    },
  };
}

export function startWorker(database: TestDatabase, address: string): Running & { client: Client } {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const temporal = { address, namespace: 'default' };
  const client = createTemporalClient(temporal);
  const clock = systemClock;
  const connections = openDatabase(database.url('tollgate_worker'), { max: 5, applicationName: 'test', log });
  const activities = createActivities({
    periodTurns: createPeriodTurns({ database: connections, clock }),
    findOverdueSubscriptions: (before, most) => findOverdueSubscriptions(connections, before, most),
    pokeSubscription: createPokeSubscription(client, clock),
  });
  const stopping = new AbortController();
  const code = workflowCode(false);
  const running = runBillingWorker({ temporal, client, activities, code, clock, log }, stopping.signal);
  return {
    client,
    stop: async () => {
      stopping.abort();
      await running;
      await client.connection.close();
      await connections.destroy();
    },
  };
}
