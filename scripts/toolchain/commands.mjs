import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { killGroup, spawnGroup } from './process-group.mjs';

export class CommandFailed extends Error {
  constructor(command, reason, output) {
    super(`${path.basename(command)} ${reason}`);
    this.output = output;
  }

  /** The last line that says something, for a one-sentence report. */
  get lastLine() {
    return this.output.trim().split('\n').pop()?.trim() || this.message;
  }
}

/**
 * Runs a command and gives what it printed (standard output and error together).
 *
 * @param options.seconds ends it when it takes longer, so that a machine without network never waits for ever
 * @param options.endSignal ends it when this process ends first
 * @throws CommandFailed when it cannot be started, takes too long or ends with another code than 0
 */
export function run(command, args, { cwd, env, seconds = 600, endSignal } = {}) {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] };
    const child = spawnGroup(command, args, options, endSignal);
    const chunks = [];
    const output = () => Buffer.concat(chunks).toString('utf8');
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      killGroup(child, 'SIGKILL');
    }, seconds * 1000);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new CommandFailed(command, `cannot be run (${error.message})`, ''));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(output());
      else if (late) reject(new CommandFailed(command, `took longer than ${seconds} s`, output()));
      else reject(new CommandFailed(command, `ended with ${signal ?? `code ${code}`}`, output()));
    });
  });
}

/** The first program of this name on the PATH, or undefined. */
export async function onPath(name, searched = process.env.PATH ?? '') {
  for (const directory of searched.split(path.delimiter).filter(Boolean)) {
    const file = path.join(directory, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

export const isExecutable = (file) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
