import { startChildProcess, type ChildProcessOptions } from '../src/embedded/child-process';

/** A process that a scenario may stop, kill, freeze and start again. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Kills it immediately with SIGKILL, like a crash. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits; sends SIGKILL after `grace`. */
  stop(): Promise<void>;
  /** Sends SIGSTOP: the process keeps its connections but answers nothing. */
  freeze(): void;
  /** Sends SIGCONT. */
  thaw(): void;
}

/** Time that a process has to finish accepted work (milliseconds). */
const GRACE_MS = 30_000;

/**
 * The processes of an installation. {@link Children.failure} rejects when one ends unexpectedly, so that no scenario
 * waits for a process that has ended.
 */
export class Children {
  private readonly running = new Map<Child, () => Promise<void>>();
  private fail: (error: Error) => void = () => undefined;
  /** Never resolves; rejects when a process ends unexpectedly, with the last lines of its output. */
  readonly failure = new Promise<never>((_, reject) => {
    this.fail = reject;
  });

  constructor() {
    // Callers race against it; until one does, its rejection must not count as unhandled.
    this.failure.catch(() => undefined);
  }

  async start(
    name: string,
    options: Pick<ChildProcessOptions, 'command' | 'args' | 'env'> & { log?: (line: string) => void },
  ): Promise<Child> {
    const lines: string[] = [];
    const process = await startChildProcess({
      ...options,
      grace: GRACE_MS,
      log: (line) => {
        lines.push(line);
        if (lines.length > 15) lines.shift();
        options.log?.(line);
      },
    });
    return this.watch(name, process, () => lines.join('\n'));
  }

  /** Watches a process that was started elsewhere. */
  watch(
    name: string,
    started: { pid: number; exited: Promise<string>; stop(): Promise<void> },
    printed: () => string = () => '',
  ): Child {
    let wanted = false;
    const signal = (which: NodeJS.Signals): void => {
      process.kill(started.pid, which);
    };
    const end = async (work: () => Promise<unknown>): Promise<void> => {
      wanted = true;
      if (this.running.delete(child)) await work();
    };
    const child: Child = {
      name,
      pid: started.pid,
      kill: () =>
        end(async () => {
          signal('SIGKILL');
          await started.exited;
        }),
      stop: () =>
        end(async () => {
          // A frozen process cannot handle SIGTERM.
          signal('SIGCONT');
          await started.stop();
        }),
      freeze: () => {
        signal('SIGSTOP');
      },
      thaw: () => {
        signal('SIGCONT');
      },
    };
    this.running.set(child, () => child.stop());
    void started.exited.then((how) => {
      this.running.delete(child);
      if (!wanted) this.fail(new Error(`${name} ${how}\n${printed()}`));
    });
    return child;
  }

  /** Stops all processes in reverse order of their start. */
  async stopAll(): Promise<void> {
    for (const stop of [...this.running.values()].reverse()) await stop();
  }
}
