import { Client } from 'pg';
import { endWhenSilent } from './end-when-silent';
import { sessionOptions } from './session-options';
import { LIFT_SESSION_LIMITS } from './session-limits';
import { MINUTE_MS } from '../domain/instant';

/** Longer than a batch of deletions takes on a slow disk. */
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
 * @throws Error that names the fix if the address leads to a pooler that drops the role
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
    await refuseOtherRole(client, role);
    await client.query(LIFT_SESSION_LIMITS);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * The role is a start-up parameter, which a pooler may be set to ignore. What the session creates would then belong to
 * the login role, and the owner could not change it.
 */
async function refuseOtherRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_user AS name');
  if (rows[0]?.name === role) return;
  throw new Error(
    `The database address of tollgate_migrator leads to a pooler that ignores the role ${role} which the session asks for. Set TOLLGATE_DATABASE_MIGRATOR_URL to the address of Postgres itself.`,
  );
}
