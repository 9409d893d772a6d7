import { migrationsAreCurrent } from '../db/migrate';
import type { Database } from '../db/pools';
import { isSchemaMissing } from '../db/sql-state';
import type { Readiness } from '../http/health';

/** A dependency that takes longer counts as unreachable. */
const TIMEOUT_MS = 2_000;

/**
 * Creates the check of the database and Temporal for `/readyz`, limited to two seconds. Calls that arrive during a
 * check share its outcome: anybody can call it, and a flood would otherwise occupy the connections of all other
 * requests, and make the process look unready.
 *
 * @param ping resolves when Temporal answers; omitted if none is configured
 */
export function createReadiness(
  database: Database,
  ping: (() => Promise<unknown>) | undefined,
): () => Promise<Readiness> {
  const check = async (): Promise<Readiness> => {
    const [state, temporal] = await Promise.all([databaseState(database), temporalState(ping)]);
    return { ...state, temporal };
  };
  let underWay: Promise<Readiness> | undefined;
  return () => {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
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
