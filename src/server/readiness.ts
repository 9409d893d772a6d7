import type { Logger } from 'pino';
import { migrationsAreCurrent } from '../db/migrate';
import type { Database } from '../db/pools';
import { isSchemaMissing } from '../db/sql-state';
import type { Readiness } from '../http/health';
import { errorMessage } from '../domain/errors';

/** A dependency that takes longer counts as unreachable. */
const TIMEOUT_MS = 2_000;

/**
 * Creates the check of the database and Temporal for `/readyz`, limited to two seconds. Calls that arrive during a
 * check share its outcome: anybody can call it, and a flood would otherwise occupy the connections of all other
 * requests, and make the process look unready.
 *
 * @param ping resolves when Temporal answers; omitted if none is configured
 * @param log gets why one of them is unreachable, once: an idle process would otherwise not report it
 */
export function createReadiness(
  database: Database,
  ping: (() => Promise<unknown>) | undefined,
  log: Logger,
): () => Promise<Readiness> {
  const noteDatabase = createNote('the database', log);
  const noteTemporal = createNote('Temporal', log);
  const check = async (): Promise<Readiness> => {
    const [state, temporal] = await Promise.all([
      databaseState(database, noteDatabase),
      temporalState(ping, noteTemporal),
    ]);
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

/** Takes the outcome of each check: why it failed, or nothing. */
type Note = (failure?: unknown) => void;

/** Logs when a dependency becomes unreachable, and when it is back. */
function createNote(dependency: string, log: Logger): Note {
  let isReachable = true;
  return (failure) => {
    if (isReachable === (failure === undefined)) return;
    isReachable = failure === undefined;
    if (isReachable) log.info(`${dependency} is reachable again`);
    else log.warn({ reason: reasonOf(failure) }, `${dependency} is unreachable`);
  };
}

function reasonOf(failure: unknown): string {
  const [line = ''] = errorMessage(failure).split('\n', 1);
  return line;
}

async function databaseState(
  database: Database,
  note: Note,
): Promise<Pick<Readiness, 'database' | 'migrations'>> {
  try {
    const current = await withTimeout(migrationsAreCurrent(database));
    note();
    return { database: 'reachable', migrations: current ? 'current' : 'pending' };
  } catch (error) {
    // The database answers, but was never migrated.
    if (isSchemaMissing(error)) {
      note();
      return { database: 'reachable', migrations: 'pending' };
    }
    note(error);
    return { database: 'unreachable', migrations: 'unknown' };
  }
}

/** Whether Temporal answers. @param ping see {@link createReadiness} */
export async function temporalState(
  ping: (() => Promise<unknown>) | undefined,
  note: Note = () => undefined,
): Promise<Readiness['temporal']> {
  if (ping === undefined) return 'not_configured';
  try {
    await withTimeout(ping());
    note();
    return 'reachable';
  } catch (error) {
    note(error);
    return 'unreachable';
  }
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`));
    }, TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
