import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLine } from './command-line';
import { errorCode } from '../domain/errors';
import { makeDirectory } from './make-directory';

/** A process with its command line, which distinguishes it from a later process with the same pid. */
const processSchema = z.object({ name: z.string(), pid: z.int().positive(), command: z.string() });
const recordSchema = z.object({ supervisor: processSchema, processes: z.array(processSchema) });
type RecordedProcess = z.infer<typeof processSchema>;

/** How long leftover processes of an earlier run may take to end. */
const GRACE_MS = 20_000;

/** The data directory, locked by this process. */
export interface DataDirectory {
  path: string;
  /** Records the processes that use the directory, so that the next run can end them if this one is killed. */
  record(processes: readonly { name: string; pid: number }[]): Promise<void>;
  release(): Promise<void>;
}

/** Another supervisor runs on the data directory. */
export class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError';
}

/** The data directory, or a directory in it, cannot be created or written to. */
export class DirectoryUnusableError extends Error {
  override name = 'DirectoryUnusableError';
}

/**
 * Creates the directory if it is missing, ends the processes that a killed supervisor left running on it, and locks it.
 *
 * @param print writes a message to the terminal
 * @throws DirectoryInUseError if another supervisor runs on it, DirectoryUnusableError
 */
export async function lockDataDirectory(
  directory: string,
  print: (message: string) => void,
): Promise<DataDirectory> {
  const file = path.join(directory, 'running.json');
  const supervisor = { name: 'start', pid: process.pid, command: await commandLine(process.pid) };
  try {
    await makeDirectory(directory);
    while (!(await claim(file, supervisor))) await takeOver(file, supervisor, directory, print);
  } catch (error) {
    throw toUnusableError(directory, error);
  }
  const write = async (processes: readonly { name: string; pid: number }[]): Promise<void> => {
    const described = await Promise.all(
      processes.map(async ({ name, pid }) => ({ name, pid, command: await commandLine(pid) })),
    );
    await writeFile(`${file}.new`, JSON.stringify({ supervisor, processes: described }));
    await rename(`${file}.new`, file);
  };
  // One at a time: concurrent writes would use the same file, and could be applied in the wrong order.
  let writing = Promise.resolve();
  const record = (processes: readonly { name: string; pid: number }[]): Promise<void> => {
    const next = writing.then(() => write(processes));
    writing = next.catch(() => undefined);
    return next;
  };
  const release = async (): Promise<void> => {
    await writing;
    await rm(file, { force: true });
  };
  return { path: directory, record, release };
}

/** Returns the processes of a supervisor running on the directory, by name; undefined if none is running. */
export async function runningProcesses(directory: string): Promise<Map<string, number> | undefined> {
  const record = await readRecord(path.join(directory, 'running.json'));
  if (record === undefined || !(await isRunning(record.supervisor))) return undefined;
  const running = new Map<string, number>();
  for (const recorded of record.processes)
    if (await isRunning(recorded)) running.set(recorded.name, recorded.pid);
  return running;
}

const UNUSABLE_REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['EEXIST', 'it is not a directory'],
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['ENOENT', 'it is a link to a directory that does not exist, or its file system takes no files'],
  ['EACCES', 'it may not be written to'],
  ['EPERM', 'it may not be written to, or its file system has no hard links'],
  ['ENOTSUP', 'its file system has no hard links'],
  ['EROFS', 'its file system is read-only'],
  ['ENOSPC', 'its file system is full'],
  ['EDQUOT', 'its file system is full'],
]);

/**
 * Creates a directory of the installation if it is missing.
 *
 * @throws DirectoryUnusableError if that is not possible, for example because a file has its name
 */
export async function ensureDirectory(directory: string, options: { mode?: number } = {}): Promise<void> {
  try {
    await makeDirectory(directory, options);
  } catch (error) {
    throw toUnusableError(directory, error);
  }
}

/** Converts errors that a user can fix to a DirectoryUnusableError. Other errors are returned unchanged. */
function toUnusableError(directory: string, error: unknown): unknown {
  const reason = UNUSABLE_REASONS.get(errorCode(error));
  if (reason === undefined) return error;
  return new DirectoryUnusableError(
    `The data directory ${directory} cannot be used: ${reason}. Set TOLLGATE_DATA_DIR to another directory.`,
    { cause: error },
  );
}

const FILE_SYSTEM_CODES: ReadonlySet<string | undefined> = new Set(['EROFS', 'ENOSPC', 'EDQUOT']);

/**
 * Converts the error of a write to a full or read-only file system to a DirectoryUnusableError, whichever file of the
 * installation it was for. Other errors are returned unchanged.
 */
export function toFileSystemError(directory: string, error: unknown): unknown {
  return FILE_SYSTEM_CODES.has(errorCode(error)) ? toUnusableError(directory, error) : error;
}

/** Creates the file atomically by a hard link, which succeeds for only one process. */
async function claim(file: string, supervisor: RecordedProcess): Promise<boolean> {
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify({ supervisor, processes: [] }));
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Removes the record of a killed supervisor under a second lock. Without it, if two processes saw the record, the
 * slower would remove the record of the faster. The record is read again under that lock.
 */
async function takeOver(
  file: string,
  supervisor: RecordedProcess,
  directory: string,
  print: (message: string) => void,
): Promise<void> {
  const marker = `${file}.taking`;
  if (!(await claim(marker, supervisor))) {
    const text = await readText(marker);
    // Its owner has just finished. Removing it now could remove the next owner's.
    if (text === undefined) return;
    const other = recordIn(text);
    if (other !== undefined && (await isAnotherProcess(other.supervisor))) await pause(50);
    else await rm(marker, { force: true });
    return;
  }
  try {
    await clear(file, directory, print);
  } finally {
    await rm(marker, { force: true });
  }
}

async function clear(file: string, directory: string, print: (message: string) => void): Promise<void> {
  const text = await readText(file);
  // Already removed by the previous owner of the lock. Removing it now could remove the next claimant's record.
  if (text === undefined) return;
  const record = recordIn(text);
  if (record !== undefined && (await isAnotherProcess(record.supervisor))) {
    throw new DirectoryInUseError(
      `Tollgate already runs on ${directory} (process ${record.supervisor.pid}): stop it, or set TOLLGATE_DATA_DIR to another directory.`,
    );
  }
  await Promise.all((record?.processes ?? []).map((left) => end(left, print)));
  await rm(file, { force: true });
}

/**
 * Returns undefined if there is no record, or if it was truncated by a machine crash, in which case none of its
 * processes is still running.
 */
async function readRecord(file: string): Promise<z.output<typeof recordSchema> | undefined> {
  return recordIn((await readText(file)) ?? '');
}

function recordIn(text: string): z.output<typeof recordSchema> | undefined {
  return recordSchema.safeParse(parse(text)).data;
}

/** Returns undefined if there is no such file. */
async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => (errorCode(error) === 'ENOENT' ? undefined : ''));
}

/**
 * Whether the supervisor is another running process. A record with this process's own pid is from an earlier process.
 */
async function isAnotherProcess(supervisor: RecordedProcess): Promise<boolean> {
  return supervisor.pid !== process.pid && (await isRunning(supervisor));
}

/** Ends a leftover process. Postgres gets SIGINT (fast shutdown) and is never killed. */
async function end(left: RecordedProcess, print: (message: string) => void): Promise<void> {
  if (!(await isRunning(left))) return;
  print(`Ending ${left.name} (process ${left.pid}), which an earlier run left behind`);
  const isPostgres = left.name === 'postgres';
  process.kill(left.pid, isPostgres ? 'SIGINT' : 'SIGTERM');
  for (let waited = 0; waited < GRACE_MS; waited += 100) {
    if (!(await isRunning(left))) return;
    await pause(100);
  }
  if (!isPostgres) process.kill(left.pid, 'SIGKILL');
}

async function isRunning({ pid, command }: RecordedProcess): Promise<boolean> {
  return command !== '' && (await commandLine(pid)) === command;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
