import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../db/pools';
import { startMetricsServer, type MetricsServer } from '../telemetry/metrics-server';
import { createReadiness } from './readiness';

export interface ProcessHealth {
  registry: Registry;
  host: string;
  /** Undefined: no port is opened. */
  port: number | undefined;
  database: Database;
  log: Logger;
  /** For a process that cannot work without Temporal; resolves when it lets this process work. */
  pingTemporal?: () => Promise<unknown>;
}

/** Serves `/healthz`, `/readyz` and `/metrics` of a process that serves nothing else: worker, relay, maintain. */
export async function serveHealth(options: ProcessHealth): Promise<Pick<MetricsServer, 'stop'>> {
  const { registry, host, port, database, log, pingTemporal } = options;
  if (port === undefined) return { stop: () => Promise.resolve() };
  const readiness = createReadiness(database, pingTemporal, log);
  return startMetricsServer(registry, { host, port }, async () => {
    const { database: db, migrations, temporal } = await readiness();
    const ready = db === 'reachable' && migrations === 'current' && temporal !== 'unreachable';
    return { ready, database: db, migrations, temporal };
  });
}
