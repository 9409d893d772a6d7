import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LoginRole } from '../../src/db/migrate';
import { findFreePort } from '../../src/embedded/free-port';
import { postgresAccount } from '../../src/embedded/postgres-account';
import { acceptsConnections } from './accepts-connections';
import { testPasswords } from './cluster';
import type { TestDatabase } from './database';
import { until } from './until';

export interface PgBouncer {
  /** Returns the URL of the test's database through PgBouncer, for one of the service's roles. */
  url(role: LoginRole): string;
  stop(): Promise<void>;
}

/** Path of the program, or undefined if it is not available (`npm test` gets it from Debian). */
export const PGBOUNCER = process.env['PGBOUNCER_PATH'];

/** Starts a PgBouncer in front of a test's database. */
export async function startPgBouncer(
  program: string,
  database: TestDatabase,
  mode: 'session' | 'transaction',
): Promise<PgBouncer> {
  const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-pgbouncer-'));
  chmodSync(directory, 0o755);
  const port = await findFreePort();
  const file = path.join(directory, 'pgbouncer.ini');
  writeFileSync(file, settings(database, mode, port));
  // It refuses to run as root. If root starts it, it reads its settings before it switches to this account.
  const account = await postgresAccount();
  const child = spawn(program, ['-q', ...(account === undefined ? [] : ['-u', account.name]), file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    rmSync(directory, { recursive: true });
  };
  await until(async () => {
    if (await acceptsConnections(port)) return true;
    if (child.exitCode === null) return false;
    await stop();
    throw new Error(`PgBouncer did not start:\n${output}`);
  });
  return { url: (role) => `postgres://${role}@127.0.0.1:${port}/${role}`, stop };
}

/** Writes the settings: one database per role, for which PgBouncer itself logs in. */
function settings(database: TestDatabase, mode: string, port: number): string {
  const { hostname, port: target } = new URL(database.adminUrl);
  const host = decodeURIComponent(hostname);
  const databases = Object.entries(testPasswords).map(
    ([role, password]) =>
      `${role} = host=${host} port=${target} dbname=${database.name} user=${role} password=${password}`,
  );
  return `[databases]
${databases.join('\n')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout,options
`;
}
