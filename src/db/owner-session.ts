import { Client } from 'pg';
import { endWhenSilent } from './end-when-silent';
import { sessionOptions } from './session-options';
import { MINUTE_MS } from '../domain/instant';

/** Longer than it takes to create a partition when the default partition was filled for days. */
const SILENCE_MS = 5 * MINUTE_MS;

interface OwnerSessionOptions {
  /** The owner to act as. */
  role: 'tollgate_owner' | 'tollgate_outbox';
  /** How long a statement waits for a lock (milliseconds); indefinitely if left out. */
  lockTimeoutMs?: number;
  /** How long Postgres may send nothing while it owes an answer (milliseconds). */
  silenceMs?: number;
}

/**
 * Runs `work` in its own session that acts as an owner. If Postgres ends the session or goes silent, the next statement
 * fails and the process continues.
 *
 * @param migratorUrl the address of tollgate_migrator, which may act as the owners of objects that no running service
 *   may change
 */
export async function asOwner<Result>(
  migratorUrl: string,
  { role, lockTimeoutMs, silenceMs = SILENCE_MS }: OwnerSessionOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const lockTimeout = lockTimeoutMs === undefined ? {} : { lock_timeout: String(lockTimeoutMs) };
  const client = new Client({
    // A limit of the database or role would be one for small statements.
    ...sessionOptions(migratorUrl, { role, statement_timeout: '0', ...lockTimeout }),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // A connection error fails the next statement; without a listener it would end the process first.
  client.on('error', () => undefined);
  await client.connect();
  endWhenSilent(client, silenceMs);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
