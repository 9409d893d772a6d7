import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLine } from './command-line';
import { errorCode } from './error-code';

/** A process, with the command that tells it from another one that was given its number later. */
const processSchema = z.object({ name: z.string(), pid: z.int().positive(), command: z.string() });
const recordSchema = z.object({ supervisor: processSchema, processes: z.array(processSchema) });
type RecordedProcess = z.infer<typeof processSchema>;

/** How long what an earlier run left behind may take to end (milliseconds). */
const GRACE = 20_000;

/** The data directory, held by this process alone. */
export interface DataDirectory {
  path: string;
  /** Writes down which processes use the directory, for a later run to find if this one is killed. */
  record(processes: readonly { name: string; pid: number }[]): Promise<void>;
  release(): Promise<void>;
}

/** Another supervisor runs on the same data directory. */
export class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError';
}

/** The data directory cannot be made, or nothing can be written there. */
export class DirectoryUnusableError extends Error {
  override name = 'DirectoryUnusableError';
}

/**
 * Makes the directory where it is missing, and takes it for this process. What a supervisor that was killed left
 * running on it is ended first.
 *
 * @param say takes a message for the person at the terminal
 * @throws DirectoryInUseError when another supervisor runs on it, DirectoryUnusableError
 */
export async function holdDataDirectory(
  directory: string,
  say: (message: string) => void,
): Promise<DataDirectory> {
  const file = path.join(directory, 'running.json');
  const supervisor = { name: 'start', pid: process.pid, command: await commandLine(process.pid) };
  try {
    await mkdir(directory, { recursive: true });
    while (!(await claim(file, supervisor))) await takeOver(file, supervisor, directory, say);
  } catch (error) {
    throw unusable(directory, error);
  }
  const write = async (processes: readonly { name: string; pid: number }[]): Promise<void> => {
    const described = await Promise.all(
      processes.map(async ({ name, pid }) => ({ name, pid, command: await commandLine(pid) })),
    );
    await writeFile(`${file}.new`, JSON.stringify({ supervisor, processes: described }));
    await rename(`${file}.new`, file);
  };
  // One after the other: two at once would write into one file, and the last to be written down would be the first.
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

/** The processes of a supervisor that runs on the directory, by name; undefined where none runs. */
export async function runningProcesses(directory: string): Promise<Map<string, number> | undefined> {
  const record = await readRecord(path.join(directory, 'running.json'));
  if (record === undefined || !(await isRunning(record.supervisor))) return undefined;
  const running = new Map<string, number>();
  for (const recorded of record.processes)
    if (await isRunning(recorded)) running.set(recorded.name, recorded.pid);
  return running;
}

const UNUSABLE: ReadonlyMap<unknown, string> = new Map([
  ['EEXIST', 'it is not a directory'],
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['EACCES', 'it may not be written to'],
  ['EPERM', 'it may not be written to, or its file system has no hard links'],
  ['ENOTSUP', 'its file system has no hard links'],
  ['EROFS', 'its file system is read-only'],
  ['ENOSPC', 'its file system is full'],
  ['EDQUOT', 'its file system is full'],
]);

/** What the reader can mend, in words; anything else as it is. */
function unusable(directory: string, error: unknown): unknown {
  const reason = UNUSABLE.get(errorCode(error));
  if (reason === undefined) return error;
  return new DirectoryUnusableError(
    `The data directory ${directory} cannot be used: ${reason}. Set TOLLGATE_DATA_DIR to another directory.`,
    { cause: error },
  );
}

/** Of several processes only one can make the link, and with it the file is complete. */
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
 * Clears away what a supervisor that was killed has left, one process at a time: of two that both saw its file, the
 * slower would remove the one that the quicker has claimed the directory with. The file is read again once nobody
 * else removes it.
 */
async function takeOver(
  file: string,
  supervisor: RecordedProcess,
  directory: string,
  say: (message: string) => void,
): Promise<void> {
  const marker = `${file}.taking`;
  if (!(await claim(marker, supervisor))) {
    const other = await readRecord(marker);
    if (other !== undefined && (await isSomebodyElse(other.supervisor))) await pause(50);
    else await rm(marker, { force: true });
    return;
  }
  try {
    await clear(file, directory, say);
  } finally {
    await rm(marker, { force: true });
  }
}

async function clear(file: string, directory: string, say: (message: string) => void): Promise<void> {
  const record = await readRecord(file);
  if (record !== undefined && (await isSomebodyElse(record.supervisor))) {
    throw new DirectoryInUseError(
      `Tollgate already runs on ${directory} (process ${record.supervisor.pid}): stop it, or set TOLLGATE_DATA_DIR to another directory.`,
    );
  }
  await Promise.all((record?.processes ?? []).map((left) => end(left, say)));
  await rm(file, { force: true });
}

/** Undefined where there is none, or one that was cut short by the end of a machine: nothing of then runs any more. */
async function readRecord(file: string): Promise<z.output<typeof recordSchema> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return recordSchema.safeParse(parse(text)).data;
}

/** Of this process's own number a record can only be older. */
async function isSomebodyElse(supervisor: RecordedProcess): Promise<boolean> {
  return supervisor.pid !== process.pid && (await isRunning(supervisor));
}

/** Postgres is asked as the others are, which lets its clients go first; it is never killed. */
async function end(left: RecordedProcess, say: (message: string) => void): Promise<void> {
  if (!(await isRunning(left))) return;
  say(`Ending ${left.name} (process ${left.pid}), which an earlier run left behind`);
  const isPostgres = left.name === 'postgres';
  process.kill(left.pid, isPostgres ? 'SIGINT' : 'SIGTERM');
  for (let waited = 0; waited < GRACE; waited += 100) {
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
