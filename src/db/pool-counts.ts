import type { Pool } from 'pg';
import type { Database } from './pools';
import { waitingForTurn } from './turns';

/** A pool's connections in use and idle, and the callers waiting for one. */
export interface PoolCounts {
  used: number;
  idle: number;
  waiting: number;
}

/** The statistics of knex's pool (tarn); knex types its client as `any`. */
interface TarnPool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

export function databaseCounts(database: Database): PoolCounts {
  const { pool } = database.client as { pool?: TarnPool };
  if (pool === undefined) return { used: 0, idle: 0, waiting: 0 };
  return {
    used: pool.numUsed(),
    idle: pool.numFree(),
    waiting: pool.numPendingAcquires() + waitingForTurn(database),
  };
}

export function pipelinedCounts(pool: Pool): PoolCounts {
  return { used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount };
}
