import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { MIGRATION_LOCK } from './advisory-locks';
import { connectAnswering } from './answering-client';
import { LIFT_SESSION_LIMITS } from './session-limits';

const PAUSE_MS = 500;

/**
 * Runs `work` while no other process migrates this database. Two concurrent migrations would both create the tables
 * that record applied ones.
 *
 * @param url an address of the database; its session holds the lock, and releases it if this process dies
 * @param onWait called once if another process holds the lock
 * @param beforeLock what to check first: a pooler may keep the lock of a session that ends at once
 */
export async function asOnlyMigrator<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
  onWait: () => void,
  beforeLock: () => Promise<void> = () => Promise.resolve(),
): Promise<Result> {
  const client = await connectAnswering(url);
  try {
    const { rows } = await client.query<{ version: string; encoding: string; small: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
              lower('I') AS small`,
    );
    refuseOldServer(rows[0]?.version ?? '');
    refuseOtherEncoding(rows[0]?.encoding ?? '');
    refuseDotlessLetters(rows[0]?.small ?? '');
    await beforeLock();
    // The session is idle while `work` uses others, and would lose the lock if it ended.
    await client.query(LIFT_SESSION_LIMITS);
    await takeSessionLock(client, MIGRATION_LOCK, { onWait });
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The migrations use `max(xid8)`, which older servers lack. */
const OLDEST_SERVER = 15;

/**
 * Refuses a server on which the migrations fail.
 *
 * @param version Postgres' `server_version`
 * @throws Error that names both versions
 */
export function refuseOldServer(version: string): void {
  if (parseInt(version, 10) >= OLDEST_SERVER) return;
  throw new Error(
    `The server is Postgres ${version}, but Tollgate needs Postgres ${OLDEST_SERVER} or newer.`,
  );
}

/**
 * Refuses a database that cannot hold every text, or that does not know which characters a text consists of.
 *
 * @param encoding Postgres' `server_encoding`
 * @throws Error that names the encoding and the fix
 */
function refuseOtherEncoding(encoding: string): void {
  if (encoding === 'UTF8') return;
  throw new Error(
    `The database is encoded in ${encoding}, but Tollgate needs UTF8. An encoding cannot be changed: create a database with ENCODING 'UTF8' TEMPLATE template0.`,
  );
}

/**
 * Refuses a database that writes an `I` small as in Turkish or Azerbaijani, by its `LC_CTYPE` or its ICU locale: an
 * operator would not be found by an address in small letters, and could be created twice.
 *
 * @param small what Postgres makes of an `I`
 * @throws Error that names the fix
 */
function refuseDotlessLetters(small: string): void {
  if (small === 'i') return;
  throw new Error(
    `The database’s locale makes "${small}" of an "I", so that e-mail addresses would not be found. A locale cannot be changed: create a database with another one, such as LOCALE 'C.UTF-8' LOCALE_PROVIDER libc TEMPLATE template0.`,
  );
}

/**
 * Takes a lock for the rest of the session. It polls, because a statement that waits for the lock would hold a snapshot
 * for that time.
 *
 * @param lock one of `advisory-locks.ts`, as an SQL expression
 * @param options.onWait called once if another session holds the lock
 * @param options.stopping ends the wait
 * @throws the signal's AbortError if the wait is ended
 */
export async function takeSessionLock(
  client: Client,
  lock: string,
  { onWait, stopping }: { onWait?: () => void; stopping?: AbortSignal | undefined } = {},
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS taken`);
    if (rows[0]?.taken === true) return;
    if (attempt === 0) onWait?.();
    await pause(PAUSE_MS, undefined, stopping && { signal: stopping });
  }
}
