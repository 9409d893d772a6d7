import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program that was just started has no command line for an instant, although its spawner already continues. */
const STARTING_MS = 1_000;
const STARTING_STEP_MS = 5;

/**
 * Returns the command line of a process, which distinguishes it from a later process with the same pid. Empty if there
 * is no such process, or it is a zombie. (`ps` is missing in small containers, /proc on macOS.)
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

/**
 * Returns whether a process has ended. In /proc, its state follows the program's name, which is in parentheses and may
 * contain any character.
 */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = (await readProc(pid, 'stat')) ?? '';
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0];
  return state === undefined || state === 'Z' || state === 'X';
}

async function readProc(pid: number, name: string): Promise<string | undefined> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => undefined);
}
