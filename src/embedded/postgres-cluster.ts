import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { waitForExit, exitsWithin, systemEnvironment } from './child-process';
import { connectAnswering } from '../db/answering-client';
import { hasSqlState } from '../db/sql-state';
import { assertPortFree } from './free-port';
import { guardAgainstOrphan } from './orphan-guard';
import { postgresAccount } from './postgres-account';
import { postgresBinaries } from './postgres-binaries';
import { initializeDataDirectory, stopStalePostgres, SUPERUSER } from './postgres-data-directory';
import { StartLog } from './start-error';

interface PostgresClusterOptions {
  /** Created if it is missing. A cluster is initialized in it only if it is empty. */
  dataDirectory: string;
  port: number;
  /** Password of the role `postgres`. It is set when the cluster is created, and must be the same afterwards. */
  superuserPassword: string;
  /** Server settings, by their names in postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
  /** Receives the server's log, line by line. */
  log?: (line: string) => void;
  /** Ends the start early. */
  stopped?: AbortSignal;
}

export interface PostgresCluster {
  /** The superuser's connection URL, to the database `postgres`. */
  adminUrl: string;
  port: number;
  pid: number;
  dataDirectory: string;
  /** Resolves when the server has ended, with a description of how it ended. */
  exited: Promise<string>;
  /**
   * Ends every connection and stops the server. Committed data is on disk. May be called twice.
   *
   * @param hurry when it fires, the server stops without its last checkpoint, and recovers at the next start
   */
  stop(hurry?: AbortSignal): Promise<void>;
}

/** No other machine can reach the server: loopback only, no socket files. */
const DEFAULTS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** How long stubborn clients or a slow disk may delay a fast shutdown (milliseconds). */
const FAST_SHUTDOWN_TIMEOUT_MS = 30_000;
const STARTUP_TIMEOUT_MS = 60_000;

/**
 * Starts a real Postgres 18 on 127.0.0.1 with password authentication. It runs in its own session, so that Ctrl-C does
 * not end it before {@link PostgresCluster.stop} does, and it is stopped if this process is killed.
 *
 * @throws PortTakenError if another process listens on the port
 * @throws StartError if the server does not come up, with the end of its log, its directory cannot be used, or the
 *   start is stopped
 */
export async function startPostgresCluster(options: PostgresClusterOptions): Promise<PostgresCluster> {
  const { port, superuserPassword, log = () => undefined } = options;
  const dataDirectory = path.resolve(options.dataDirectory);
  const account = await postgresAccount();
  const binaries = await postgresBinaries(account);
  await stopStalePostgres(dataDirectory);
  await assertPortFree(port, 'Postgres', 'choose another port');
  await initializeDataDirectory(dataDirectory, superuserPassword, binaries, account);

  const settings = Object.entries({ ...DEFAULTS, ...options.settings, port: String(port) });
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(binaries.postgres, ['-D', dataDirectory, ...flags], {
    ...(account && { uid: account.uid, gid: account.gid }),
    cwd: dataDirectory,
    env: { ...systemEnvironment(), LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const output = new StartLog(log);
  createInterface({ input: server.stderr }).on('line', output.add);
  await once(server, 'spawn');
  const pid = server.pid ?? 0;
  const release = guardAgainstOrphan(pid, 'INT');
  const exited = waitForExit(server).finally(release);

  const adminUrl = `postgres://${SUPERUSER}:${encodeURIComponent(superuserPassword)}@127.0.0.1:${port}/postgres`;
  let stopping: Promise<void> | undefined;
  const stop = (hurry?: AbortSignal): Promise<void> => (stopping ??= shutDown(server, exited, hurry));
  try {
    await waitUntilReady(adminUrl, server, exited, options);
  } catch (error) {
    await stop();
    throw output.failure('Postgres', error);
  }
  return { adminUrl, port, pid, dataDirectory, exited, stop };
}

/**
 * Shuts the server down fast; if clients or the disk delay that, immediately. Never with SIGKILL, which would leave its
 * processes behind.
 */
async function shutDown(server: ChildProcess, exited: Promise<string>, hurry?: AbortSignal): Promise<void> {
  server.kill('SIGINT');
  if (!(await exitsWithin(exited, FAST_SHUTDOWN_TIMEOUT_MS, hurry))) server.kill('SIGQUIT');
  await exited;
}

async function waitUntilReady(
  adminUrl: string,
  server: ChildProcess,
  exited: Promise<string>,
  { dataDirectory, stopped }: Pick<PostgresClusterOptions, 'dataDirectory' | 'stopped'>,
): Promise<void> {
  const deadline = AbortSignal.timeout(STARTUP_TIMEOUT_MS);
  for (;;) {
    stopped?.throwIfAborted();
    const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (hasSqlState(error, 'invalid_password'))
        throw new Error(
          `the password is not the one that this cluster was created with. Restore that secrets.json, or remove ${dataDirectory} to start with new data.`,
          { cause: error },
        );
      if (server.exitCode !== null || server.signalCode !== null)
        throw new Error('it ended', { cause: error });
      if (deadline.aborted) throw error;
    }
    await Promise.race([exited, pause(50)]);
  }
}

/** Creates the database in the cluster if it is missing. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = await connectAnswering(adminUrl);
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
