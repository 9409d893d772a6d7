import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

const running = new Set();
const endAll = () => running.forEach((child) => child.kill());
// What is still under way when we end (another step has failed) has no one to report to.
process.on('exit', endAll);

/** A signal that nothing listens for ends us without the event `exit`, and `npm ci` would go on beside the next run's. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const onSignal = (signal) => {
  endAll();
  stopListening();
  process.kill(process.pid, signal);
};
const stopListening = () => SIGNALS.forEach((signal) => process.off(signal, onSignal));

/** Signals are handled only while a command runs: what this process does afterwards may have its own handlers. */
function track(child) {
  if (running.size === 0) SIGNALS.forEach((signal) => process.on(signal, onSignal));
  running.add(child);
  const ended = () => {
    running.delete(child);
    if (running.size === 0) stopListening();
  };
  child.once('close', ended).once('error', ended);
}

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
 * @throws CommandFailed when it cannot be started, takes too long or ends with another code than 0
 */
export function run(command, args, { cwd, env, seconds = 600 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
    track(child);
    const chunks = [];
    const output = () => Buffer.concat(chunks).toString('utf8');
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
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
