import { migrationsAreCurrent } from '../db/migrate';
import type { Database } from '../db/pools';
import { isSchemaMissing } from '../db/sql-state';
import type { Readiness } from '../http/health';

/** A dependency that takes longer counts as unreachable. */
const TIMEOUT_MS = 2_000;

/**
 * Creates the check of the database and Temporal for `/readyz`, made on each call and limited to two seconds.
 *
 * @param ping resolves when Temporal answers; omitted if none is configured
 */
export function createReadiness(
  database: Database,
  ping: (() => Promise<unknown>) | undefined,
): () => Promise<Readiness> {
  return async () => {
    const [state, temporal] = await Promise.all([databaseState(database), temporalState(ping)]);
    return { ...state, temporal };
  };
}

async function databaseState(database: Database): Promise<Pick<Readiness, 'database' | 'migrations'>> {
  try {
    const current = await withTimeout(migrationsAreCurrent(database));
    return { database: 'reachable', migrations: current ? 'current' : 'pending' };
  } catch (error) {
    // The database answers, but was never migrated.
    return isSchemaMissing(error)
      ? { database: 'reachable', migrations: 'pending' }
      : { database: 'unreachable', migrations: 'unknown' };
  }
}

/** Whether Temporal answers. @param ping see {@link createReadiness} */
export async function temporalState(
  ping: (() => Promise<unknown>) | undefined,
): Promise<Readiness['temporal']> {
  if (ping === undefined) return 'not_configured';
  try {
    await withTimeout(ping());
    return 'reachable';
  } catch {
    return 'unreachable';
  }
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('It took too long.'));
    }, TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
