import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { stat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The Unix account that Postgres runs as, if not our own. */
export interface PostgresAccount {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Returns the account that Postgres runs as. Postgres refuses to run as root, so for root (mostly in containers) it
 * runs as the account `postgres`, which is created if it is missing.
 *
 * @returns undefined if Postgres runs as the current user
 */
export async function postgresAccount(): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  return (await lookUp('postgres')) ?? (await create('postgres'));
}

async function lookUp(name: string): Promise<PostgresAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function create(name: string): Promise<PostgresAccount> {
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      name,
    ]);
  } catch (error) {
    // Two concurrent starts may both find it missing, but only one can create it.
    const made = await lookUp(name);
    if (made !== undefined) return made;
    throw new Error(
      `Postgres does not run as root, and an account for it could not be created: run this as another user, or create an account named ${name}.`,
      { cause: error },
    );
  }
  const made = await lookUp(name);
  if (made === undefined) throw new Error(`The account ${name} was created but cannot be found.`);
  return made;
}

/**
 * Whether the account may enter every directory above this one (a home directory is often closed). Missing directories
 * do not count.
 */
export async function canReach(account: PostgresAccount, directory: string): Promise<boolean> {
  for (let at = path.dirname(path.resolve(directory)); ; at = path.dirname(at)) {
    const { uid, gid, mode } = await stat(at).catch(() => ({
      uid: account.uid,
      gid: account.gid,
      mode: 0o777,
    }));
    const search = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & search) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/**
 * Returns the location of an installation's cluster: its data directory, unless we are root and Postgres's account may
 * not enter that (a checkout in root's home). Then it is under /var/lib/tollgate, in a directory specific to that
 * checkout.
 */
export async function postgresLocation(dataDirectory: string): Promise<string> {
  const inside = path.join(dataDirectory, 'postgres');
  const account = await postgresAccount();
  if (account === undefined || (await canReach(account, inside))) return inside;
  const name = createHash('sha256').update(path.resolve(dataDirectory)).digest('hex').slice(0, 12);
  const outside = path.join('/var/lib/tollgate', name);
  await mkdir(outside, { recursive: true });
  return path.join(outside, 'postgres');
}
