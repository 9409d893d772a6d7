import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { log } from './progress.mjs';
import { exists, isNotWritable, Unavailable } from './project.mjs';
import { commandLine, isRunning } from './running.mjs';

/** Outside node_modules, so that a fresh checkout or `npm ci` does not build Temporal again. */
function cacheDirectory(env = process.env) {
  if (env.TOLLGATE_CACHE_DIR) return path.resolve(env.TOLLGATE_CACHE_DIR);
  if (env.XDG_CACHE_HOME) return path.join(env.XDG_CACHE_HOME, 'tollgate');
  return path.join(homeDirectory(), '.cache', 'tollgate');
}

/** Node throws where HOME is not set and the account is not listed, as in a container with a number for a user. */
function homeDirectory() {
  try {
    return homedir();
  } catch {
    throw new Unavailable(
      'This account has no home directory: set HOME to a directory that it may write to. npm needs it, too.',
    );
  }
}

/** Tells which variable leads elsewhere. Other errors are returned unchanged. */
function toCacheError(cache, error) {
  if (!isNotWritable(error) && error.code !== 'ENOTDIR' && error.code !== 'EEXIST') return error;
  return new Unavailable(
    `The cache directory ${cache} cannot be used (${error.message}). Set TOLLGATE_CACHE_DIR to another directory.`,
  );
}

/** Where the file of an installed tool is, or undefined. */
export async function installed(tool, file, cache = cacheDirectory()) {
  const place = path.join(cache, tool, file);
  return (await exists(place)) ? place : undefined;
}

/**
 * Installs a tool once: it is made in a directory of its own and moved into its place when it is complete, so a
 * run that is killed leaves nothing half done, and a second run at the same time waits for the first.
 *
 * @param make fills the directory it is given
 * @returns the path of `file` inside the installed tool
 */
export async function install(tool, file, make, cache = cacheDirectory()) {
  return withLock(
    tool,
    async () => {
      const already = await installed(tool, file, cache);
      if (already !== undefined) return already;
      for (const left of await readdir(cache)) {
        if (left.startsWith(`${tool}.part-`))
          await rm(path.join(cache, left), { recursive: true, force: true });
      }
      const part = await mkdtemp(path.join(cache, `${tool}.part-`));
      const target = path.join(cache, tool);
      try {
        await make(part);
        await rm(target, { recursive: true, force: true });
        await rename(part, target);
      } finally {
        await rm(part, { recursive: true, force: true });
      }
      return path.join(target, file);
    },
    cache,
  );
}

/** The last of this process's turns at each lock, by the lock's file. */
const turns = new Map();

/** One at a time, of this process and others; a lock whose holder has ended is taken over. */
export async function withLock(name, work, cache = cacheDirectory()) {
  const file = path.join(cache, `${name}.lock`);
  const turn = (turns.get(file) ?? Promise.resolve()).then(async () => {
    try {
      await mkdir(cache, { recursive: true });
      await waitFor(file, name);
    } catch (error) {
      throw toCacheError(cache, error);
    }
    try {
      return await work();
    } finally {
      await rm(file, { force: true });
    }
  });
  turns.set(
    file,
    turn.catch(() => undefined),
  );
  return turn;
}

async function waitFor(file, name) {
  const own = `${process.pid} ${await commandLine(process.pid)}`;
  let logged = false;
  while (!(await take(file, own))) {
    const lock = await readLock(file);
    if (lock === undefined) continue;
    if (!(await isHeld(lock))) {
      await clear(file, own);
      continue;
    }
    if (!logged) log(`Waiting for another run (process ${parseInt(lock, 10)}) that holds ${name} …`);
    logged = true;
    await pause(300);
  }
}

/**
 * Removes a lock whose holder has ended, under a second lock. Without it, if two processes had found the lock, the
 * slower would remove the lock of the faster. The lock is read again under the second one.
 */
async function clear(file, own) {
  const marker = `${file}.clearing`;
  if (!(await take(marker, own))) {
    const other = await readLock(marker);
    if (other === undefined) return;
    if (await isHeld(other)) await pause(50);
    else await rm(marker, { force: true });
    return;
  }
  try {
    const lock = await readLock(file);
    if (lock !== undefined && !(await isHeld(lock))) await rm(file, { force: true });
  } finally {
    await rm(marker, { force: true });
  }
}

/** Returns undefined if the lock has been released. */
function readLock(file) {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Creates the file under another name and links it, so that a lock is never read half written. */
async function take(file, own) {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, own);
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    if (error.code === 'EPERM' || error.code === 'ENOTSUP')
      throw new Unavailable(
        `The file system of ${path.dirname(file)} has no hard links. Set TOLLGATE_CACHE_DIR to a directory elsewhere.`,
      );
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Returns whether the process that took the lock still runs. After a restart of the machine, and in each run of a
 * container, its process ID may belong to another program, or to this process. A lock of an earlier version has only
 * the ID; a crash of the machine may leave an empty lock.
 */
async function isHeld(lock) {
  const [, number, command] = /^(\d+) ?(.*)$/s.exec(lock) ?? [];
  const pid = Number(number);
  if (number === undefined || pid === process.pid || !isRunning(pid)) return false;
  return command === '' || (await commandLine(pid)) === command;
}
