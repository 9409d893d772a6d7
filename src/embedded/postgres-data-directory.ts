import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemEnvironment } from './child-process';
import { commandLine } from './command-line';
import { ensureDirectory } from './data-directory';
import { canReach, type PostgresAccount } from './postgres-account';
import type { PostgresBinaries } from './postgres-binaries';
import { StartError } from './start-error';
import { errorMessage } from '../domain/errors';

const run = promisify(execFile);

export const SUPERUSER = 'postgres';

/**
 * Creates a cluster if the directory is empty or missing, with scram-sha-256 for every connection and a text ordering
 * that is the same on every machine. It is built in a directory next to it and then moved, so a start that is killed
 * half-way leaves nothing that looks like a cluster. The next one removes what it left.
 *
 * @returns whether it was created now
 * @throws StartError if the directory holds something else, or a cluster of another major version, or none can be
 *   created; DirectoryUnusableError if the directory is not one, or cannot be created
 */
export async function initializeDataDirectory(
  directory: string,
  superuserPassword: string,
  binaries: PostgresBinaries,
  account: PostgresAccount | undefined,
): Promise<boolean> {
  await ensureDirectory(directory, { mode: 0o700 });
  if ((await readdir(directory)).length > 0) {
    await assertCluster(directory, binaries.version);
    return false;
  }
  if (account !== undefined && !(await canReach(account, directory))) {
    throw new StartError(
      `Postgres runs as the account ${account.name}, which may not enter the directories above ${directory}: choose another place for the data.`,
    );
  }
  const making = `${directory}.initialising`;
  const secrets = `${directory}.password`;
  const passwordFile = path.join(secrets, 'password');
  try {
    for (const made of [making, secrets]) {
      await rm(made, { recursive: true, force: true });
      await mkdir(made, { mode: 0o700 });
    }
    await writeFile(passwordFile, `${superuserPassword}\n`, { mode: 0o600 });
    if (account !== undefined) {
      for (const file of [making, secrets, passwordFile]) await chown(file, account.uid, account.gid);
    }
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = ['--auth=scram-sha-256', `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`];
    await run(binaries.initdb, [`--pgdata=${making}`, '--no-instructions', ...access, ...locale], {
      ...(account && { uid: account.uid, gid: account.gid }),
      cwd: making,
      env: { ...systemEnvironment(), LC_ALL: 'C', TZ: 'UTC' },
    }).catch((error: unknown) => {
      throw new StartError(`No cluster could be created in ${directory}:\n${printedBy(error)}`, {
        cause: error,
      });
    });
    // Before the cluster is in place: a later start, which finds it, removes nothing.
    await rm(secrets, { recursive: true, force: true });
    await rmdir(directory);
    await rename(making, directory);
    return true;
  } finally {
    await rm(secrets, { recursive: true, force: true });
    await rm(making, { recursive: true, force: true });
  }
}

/** Returns what a failed program printed to stderr, or else why it could not be run. */
function printedBy(error: unknown): string {
  if (error instanceof Error && 'stderr' in error && error.stderr !== '') return String(error.stderr).trim();
  return errorMessage(error);
}

async function assertCluster(directory: string, version: string): Promise<void> {
  const found = await readFile(path.join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (found === undefined) throw new StartError(`${directory} is not empty and holds no Postgres cluster.`);
  const wanted = version.split('.')[0];
  if (found.trim() !== wanted) {
    throw new StartError(
      `${directory} was created by Postgres ${found.trim()}; this is Postgres ${String(wanted)}. Use the version of Tollgate that created it, or choose another place for new data.`,
    );
  }
}

/**
 * Stops a Postgres that an earlier process left running on this directory, and removes a `postmaster.pid` whose pid now
 * belongs to another program (Postgres would mistake that program for itself and refuse to start).
 */
export async function stopStalePostgres(directory: string): Promise<void> {
  const file = path.join(directory, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  if (!(await isPostmaster(pid, directory))) {
    await rm(file, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (!(await isPostmaster(pid, directory))) return;
    await pause(50);
  }
  throw new StartError(`A Postgres of an earlier run (process ${pid}) holds ${directory} and does not stop.`);
}

async function isPostmaster(pid: number, directory: string): Promise<boolean> {
  const command = await commandLine(pid);
  return command.includes('postgres') && command.includes(` -D ${directory} `);
}
