import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { connectAnswering } from './answering-client';

/** Number of checks: a busy pooler may by chance give the second connection another session. */
const CHECKS = 5;

/**
 * Refuses an address behind a pooler that gives each transaction another session, such as PgBouncer with
 * `pool_mode = transaction`. The service needs its own sessions, for named statements in pipeline mode, the hot path's
 * planner settings, LISTEN and the job queue.
 *
 * @param url connection URL, as the process uses it
 * @throws Error that names the fix
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  const clients: Client[] = [];
  try {
    const first = await connectAnswering(url);
    clients.push(first);
    const second = await connectAnswering(url);
    clients.push(second);
    for (let check = 0; check < CHECKS; check += 1) {
      if (await shareSession(first, second)) throw new Error(REFUSAL);
    }
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

const REFUSAL =
  'The database address leads to a pooler in transaction mode, which gives each transaction another session. Give this process the address of Postgres itself, or of a pooler in session mode.';

/** Returns whether a session setting made on the first connection is visible on the second. */
export async function shareSession(
  first: Pick<Client, 'query'>,
  second: Pick<Client, 'query'>,
): Promise<boolean> {
  const mark = randomBytes(8).toString('hex');
  await first.query("SELECT set_config('tollgate.session', $1, false)", [mark]);
  const { rows } = await second.query<{ mark: string | null }>(
    "SELECT current_setting('tollgate.session', true) AS mark",
  );
  return rows[0]?.mark === mark;
}
