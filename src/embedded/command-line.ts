import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program that has just been started has no command line for an instant, while its spawner goes on already. */
const STARTING_MS = 1_000;
const STARTING_STEP_MS = 5;

/**
 * The command line of a process, which distinguishes it from a later process with the same pid; empty when there is no
 * such process, or it has ended and its parent has not asked for its exit code. (`ps` is missing in small containers,
 * /proc on macOS.)
 */
export async function commandLine(pid: number): Promise<string> {
  for (let waited = 0; ; waited += STARTING_STEP_MS) {
    const fromProc = await readProc(pid, 'cmdline');
    if (fromProc === undefined) break;
    if (fromProc !== '' || waited >= STARTING_MS || (await hasEnded(pid)))
      return fromProc.replaceAll('\0', ' ').trim();
    await pause(STARTING_STEP_MS);
  }
  return run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}

/** The state comes behind the program's name, which stands in brackets and may hold any character. */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = (await readProc(pid, 'stat')) ?? '';
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0];
  return state === undefined || state === 'Z' || state === 'X';
}

async function readProc(pid: number, name: string): Promise<string | undefined> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => undefined);
}
