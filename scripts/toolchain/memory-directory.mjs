import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { freemem, totalmem } from 'node:os';
import path from 'node:path';
import { isRunning } from './running.mjs';

const MEMORY = '/dev/shm';
const PREFIX = 'tollgate-test-';
const GIGABYTE = 1024 ** 3;
/** A whole gate needs about two. */
const NEEDED = 6 * GIGABYTE;

/**
 * Makes a directory in memory for a run's temporary files, which is removed when this process ends. The databases of
 * the test files are half a million small files, made and removed: on a disk's file system that takes a tenth of the
 * gate's CPU.
 *
 * @returns its path, or undefined where the system has no such place or not enough memory
 */
export async function makeMemoryDirectory() {
  if (!(await hasRoom())) return undefined;
  await removeLeftOvers();
  const directory = path.join(MEMORY, `${PREFIX}${process.pid}`);
  // Postgres runs as another user where we are root, and has to pass through.
  await mkdir(directory, { mode: 0o711 });
  process.once('exit', () => {
    try {
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Servers of an interrupted run are still writing to it; the next run removes it.
    }
  });
  return directory;
}

async function hasRoom() {
  const place = await statfs(MEMORY).catch(() => undefined);
  if (place === undefined || place.bavail * place.bsize < NEEDED) return false;
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < totalmem();
  return (isLimited ? Math.min(limit, freemem()) : freemem()) > 2 * NEEDED;
}

/** Of runs that were killed. */
async function removeLeftOvers() {
  for (const name of await readdir(MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (Number.isInteger(pid) && !isRunning(pid))
      await rm(path.join(MEMORY, name), { recursive: true, force: true });
  }
}
