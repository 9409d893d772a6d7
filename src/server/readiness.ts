import { connect } from 'node:net';
import { migrationsAreCurrent } from '../db/migrate';
import type { Database } from '../db/pools';
import type { Readiness } from '../http/health';

/** A dependency that takes longer counts as unreachable. */
const TIMEOUT_MS = 2_000;

/** Checks the database and Temporal for `/readyz`, on each call and for two seconds at most. */
export function createReadiness(
  database: Database,
  temporalAddress: string | undefined,
): () => Promise<Readiness> {
  return async () => {
    const [state, temporal] = await Promise.all([databaseState(database), temporalState(temporalAddress)]);
    return { ...state, temporal };
  };
}

async function databaseState(database: Database): Promise<Pick<Readiness, 'database' | 'migrations'>> {
  try {
    const current = await withTimeout(migrationsAreCurrent(database));
    return { database: 'reachable', migrations: current ? 'current' : 'pending' };
  } catch {
    return { database: 'unreachable', migrations: 'unknown' };
  }
}

/** Whether Temporal's port accepts connections; Temporal has health checks of its own. */
async function temporalState(address: string | undefined): Promise<Readiness['temporal']> {
  if (address === undefined) return 'not_configured';
  const colon = address.lastIndexOf(':');
  const socket = connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) });
  try {
    await withTimeout(
      new Promise((resolve, reject) => {
        socket.once('connect', resolve).once('error', reject);
      }),
    );
    return 'reachable';
  } catch {
    return 'unreachable';
  } finally {
    socket.destroy();
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
