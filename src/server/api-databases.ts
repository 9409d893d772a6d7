import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { databaseCounts, pipelinedCounts } from '../db/pool-counts';
import { openDatabase, openPipelinedPool, type Database } from '../db/pools';
import { registerPoolMetrics } from '../telemetry/pool-metrics';

/**
 * The API's connection pools: one for general use, one for check and track, and one for webhooks, so that they cannot
 * exhaust the others.
 */
export interface ApiDatabases {
  database: Database;
  pipelined: ReturnType<typeof openPipelinedPool>;
  webhookDatabase: Database;
}

/** Opens the pools, without connecting yet. */
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
