import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { databaseCounts, pipelinedCounts } from '../db/pool-counts';
import { openDatabase, openPipelinedPool, type Database } from '../db/pools';
import { registerPoolMetrics } from '../telemetry/pool-metrics';

/** The API's pools: one for everything, one for check and track, and one that webhooks cannot take from either. */
export interface ApiDatabases {
  database: Database;
  pipelined: ReturnType<typeof openPipelinedPool>;
  webhookDatabase: Database;
}

/** Opens no connection yet. */
export function openApiDatabases(options: {
  databaseUrl: string;
  databasePool: number;
  usagePool: number;
  webhookPool: number;
  log: Logger;
}): ApiDatabases {
  const { databaseUrl, log } = options;
  return {
    database: openDatabase(databaseUrl, {
      max: options.databasePool,
      applicationName: 'tollgate-api',
      log,
    }),
    pipelined: openPipelinedPool(databaseUrl, {
      max: options.usagePool,
      applicationName: 'tollgate-usage',
      log,
    }),
    webhookDatabase: openDatabase(databaseUrl, {
      max: options.webhookPool,
      applicationName: 'tollgate-webhooks',
      log,
    }),
  };
}

export function measureApiDatabases(databases: ApiDatabases, registry: Registry): void {
  registerPoolMetrics(registry, {
    general: () => databaseCounts(databases.database),
    usage: () => pipelinedCounts(databases.pipelined),
    webhooks: () => databaseCounts(databases.webhookDatabase),
  });
}

export async function closeApiDatabases(databases: ApiDatabases): Promise<void> {
  const { database, webhookDatabase, pipelined } = databases;
  await Promise.all([database.destroy(), webhookDatabase.destroy(), pipelined.end()]);
}
