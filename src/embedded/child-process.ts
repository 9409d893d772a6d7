import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { guardAgainstOrphan } from './orphan-guard';

/** A running child process. */
export interface RunningProcess {
  pid: number;
  /** Resolves when the process has ended, with a description such as "ended with code 1". */
  exited: Promise<string>;
  /**
   * Sends SIGTERM, and SIGKILL if the process takes too long.
   *
   * @param hurry when it fires, SIGKILL is sent at once
   */
  stop(hurry?: AbortSignal): Promise<void>;
}

export interface ChildProcessOptions {
  command: string;
  args: readonly string[];
  /** Added to {@link systemEnvironment}; nothing else is inherited. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** Called with each line of its output. */
  log: (line: string) => void;
  /** Milliseconds from SIGTERM to SIGKILL. */
  grace: number;
}

/** Returns the environment that every child inherits, without configuration or secrets. */
export function systemEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/**
 * Starts a program in its own session, so that Ctrl-C reaches only this process, which then stops the program in order.
 * If this process is killed, the program is ended too.
 */
export async function startChildProcess(options: ChildProcessOptions): Promise<RunningProcess> {
  const child = spawn(options.command, options.args, {
    env: { ...systemEnvironment(), ...options.env },
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', options.log);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const exited = waitForExit(child).finally(guardAgainstOrphan(pid, 'TERM'));
  return {
    pid,
    exited,
    stop: async (hurry) => {
      child.kill('SIGTERM');
      if (!(await exitsWithin(exited, options.grace, hurry))) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** How long to wait for the remaining output if a grandchild still holds it open. */
const OUTPUT_TIMEOUT_MS = 2_000;

/** Resolves when the process has ended and its output was read, with a description of how it ended. */
export async function waitForExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const how = signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`;
      const timer = setTimeout(resolve, OUTPUT_TIMEOUT_MS, how);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(how);
      });
    });
  });
}

/**
 * @param milliseconds how long to wait
 * @param hurry ends the wait early
 * @returns whether it ended in time
 */
export async function exitsWithin(
  exited: Promise<unknown>,
  milliseconds: number,
  hurry: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  if (hurry.aborted) return false;
  let giveUp = (): void => undefined;
  const waiting = new Promise<boolean>((resolve) => {
    giveUp = () => {
      resolve(false);
    };
  });
  const timer = setTimeout(giveUp, milliseconds);
  hurry.addEventListener('abort', giveUp);
  try {
    return await Promise.race([exited.then(() => true), waiting]);
  } finally {
    clearTimeout(timer);
    hurry.removeEventListener('abort', giveUp);
  }
}
