import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The command line of a process, which distinguishes it from a later process with the same pid; empty when there is no
 * such process. (`ps` is missing in small containers, /proc on macOS.)
 */
export async function commandLine(pid: number): Promise<string> {
  const fromProc = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (fromProc !== undefined) return fromProc.replaceAll('\0', ' ').trim();
  return run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
