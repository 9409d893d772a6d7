import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { guardAgainstOrphan } from './orphan-guard';

/** A process that runs until it is stopped, or ends by itself. */
export interface RunningProcess {
  pid: number;
  /** Resolves when it has ended, with how it ended in words. */
  exited: Promise<string>;
  /**
   * Asks it to end, and ends it when it takes too long.
   *
   * @param hurry when it fires, it is not waited for any longer
   */
  stop(hurry?: AbortSignal): Promise<void>;
}

export interface ChildProcessOptions {
  command: string;
  args: readonly string[];
  /** The environment beyond the operating system's own variables: nothing else is inherited. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** Takes what it prints, line by line. */
  log: (line: string) => void;
  /** How long it may take to end after SIGTERM before SIGKILL (milliseconds). */
  grace: number;
}

/** What every program gets to find others, its home and its temporary files: no configuration, and no secret. */
export function systemEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/**
 * Starts a program in a session of its own, so that a Ctrl-C reaches only us and we stop it in its turn. It is ended
 * when this process is killed.
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
  const exited = ending(child).finally(guardAgainstOrphan(pid, 'TERM'));
  return {
    pid,
    exited,
    stop: async (hurry) => {
      child.kill('SIGTERM');
      if (!(await endsWithin(exited, options.grace, hurry))) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** For a process of its own that still holds the output open. */
const OUTPUT_AFTER_END = 2_000;

/** Resolves when the process has ended and its output was read, with how it ended in words. */
export async function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const how = signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`;
      const timer = setTimeout(resolve, OUTPUT_AFTER_END, how);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(how);
      });
    });
  });
}

/**
 * @param milliseconds how long to wait
 * @param hurry ends the waiting
 * @returns whether it ended meanwhile
 */
export async function endsWithin(
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
