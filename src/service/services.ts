import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '../clock/clock';
import type { Database } from '../db/pools';
import type { ActorFactory } from '../tenancy/actors';

export interface ServiceDependencies {
  database: Database;
  /** The hot path's pool, in pipeline mode. */
  pipelined: Pool;
  actorFor: ActorFactory;
  registry: Registry;
  apiKeyPepper: string;
  cursorSecret: string;
  urls: { console: string; sandbox: string; production: string };
  clock: Clock;
  log: Logger;
}

/** Every feature, wired; the routes of all hosts call these. */
export interface Services {
  /** Finishes what was accepted and lets go of timers and streams. */
  stop(): Promise<void>;
}

export function createServices(dependencies: ServiceDependencies): Services {
  void dependencies;
  return {
    stop: () => Promise.resolve(),
  };
}
