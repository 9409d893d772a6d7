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

/**
 * Makes the directory where it is missing, and takes it for this process. What a supervisor that was killed left
 * running on it is ended first.
 *
 * @param say takes a message for the person at the terminal
 * @throws DirectoryInUseError when another supervisor runs on it
 */
export async function holdDataDirectory(
  directory: string,
  say: (message: string) => void,
): Promise<DataDirectory> {
  await mkdir(directory, { recursive: true });
  const file = path.join(directory, 'running.json');
  const supervisor = { name: 'start', pid: process.pid, command: await commandLine(process.pid) };
  while (!(await claim(file, supervisor))) await clear(file, directory, say);
  const record = async (processes: readonly { name: string; pid: number }[]): Promise<void> => {
    const described = await Promise.all(
      processes.map(async ({ name, pid }) => ({ name, pid, command: await commandLine(pid) })),
    );
    await writeFile(`${file}.new`, JSON.stringify({ supervisor, processes: described }));
    await rename(`${file}.new`, file);
  };
  return { path: directory, record, release: () => rm(file, { force: true }) };
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

async function clear(file: string, directory: string, say: (message: string) => void): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const record = recordSchema.safeParse(parse(text)).data;
  if (record !== undefined && record.supervisor.pid !== process.pid && (await isRunning(record.supervisor))) {
    throw new DirectoryInUseError(
      `Tollgate already runs on ${directory} (process ${record.supervisor.pid}): stop it, or set TOLLGATE_DATA_DIR to another directory.`,
    );
  }
  await Promise.all((record?.processes ?? []).map((left) => end(left, say)));
  await rm(file, { force: true });
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
    // Cut short by the end of a machine: nothing of that time runs any more.
    return undefined;
  }
}
