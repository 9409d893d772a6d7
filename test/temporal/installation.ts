import type { Client } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Activities } from '../../activities';
import { systemClock } from '../../src/clock/system-clock';
import { openDatabase } from '../../src/db/pools';
import { findFreePort } from '../../src/embedded/free-port';
import { startTemporalServer, type TemporalServer } from '../../src/embedded/temporal-server';
import { runRelay } from '../../src/relay/run-relay';
import { createWorkerActivities } from '../../src/service/worker-activities';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient, type TemporalEndpoint } from '../../src/temporal/client';
import { TASK_QUEUES } from '../../src/temporal/task-queues';
import { runWorkers } from '../../activities/workers';
import type { TestDatabase } from '../support/database';
import { workflowsInThread } from '../support/workflow-bundle';

/** Configured URLs of the API's hosts. */
export const TEST_URLS = { sandbox: 'http://sandbox.test', production: 'http://production.test' };

const log = createLogger('test', process.env['TOLLGATE_TEST_LOG'] ?? 'fatal');

/** Starts a Temporal server as `npm start` does, in memory unless a database file is given. */
export async function startDevServer(port?: number, databaseFile?: string): Promise<TemporalServer> {
  const cliPath = process.env['TEMPORAL_CLI_PATH'];
  if (cliPath === undefined)
    throw new Error('Set TEMPORAL_CLI_PATH, or run this with npm test, which sets it.');
  return startTemporalServer({
    cliPath,
    port: port ?? (await findFreePort()),
    ...(databaseFile !== undefined && { databaseFile }),
  });
}

/** A part of the service, such as a worker or the relay, that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

export function startRelay(
  database: TestDatabase,
  address: string,
  options: { log?: Logger; credentials?: Pick<TemporalEndpoint, 'tls' | 'apiKey'> } = {},
): Running & { client: Client } {
  const client = createTemporalClient({ address, namespace: 'default', ...options.credentials });
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

/** Starts a worker of all queues with the real activities. */
export function startWorker(
  database: TestDatabase,
  address: string,
  providers: Pick<Parameters<typeof createWorkerActivities>[0], 'keyRing' | 'providerUrls'> = {},
): Running & { client: Client } {
  const clock = systemClock;
  const connections = openDatabase(database.url('tollgate_worker'), { max: 5, applicationName: 'test', log });
  const worker = startWorkerWith(address, (client) =>
    createWorkerActivities({ database: connections, client, clock, urls: TEST_URLS, ...providers }),
  );
  return {
    client: worker.client,
    stop: async () => {
      await worker.stop();
      await connections.destroy();
    },
  };
}

/** Starts a worker of all queues with the test's own activities. */
export function startWorkerWith(
  address: string,
  activitiesOver: (client: Client) => Activities,
  options: { checkEveryMs?: number; namespace?: string; log?: Logger } = {},
): Running & { client: Client } {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const { namespace = 'default', ...others } = options;
  const temporal = { address, namespace };
  const client = createTemporalClient(temporal);
  const of = activitiesOver(client);
  const activities = { production: of, sandbox: of };
  const stopping = new AbortController();
  const running = workflowsInThread().then((code) =>
    runWorkers(
      { temporal, client, activities, code, queues: TASK_QUEUES, clock: systemClock, log, ...others },
      stopping.signal,
    ),
  );
  return {
    client,
    stop: async () => {
      stopping.abort();
      await running;
      // A worker that was stopped before it started leaves the runtime installed.
      await Runtime.instance().shutdown();
      await client.connection.close();
    },
  };
}
