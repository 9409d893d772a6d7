import { fork, type ChildProcess } from 'node:child_process';
import { cpus } from 'node:os';
import path from 'node:path';
import { API_NODE_FLAGS } from '../src/embedded/service-entries';

/**
 * The processes of a benchmark. It is an error if one ends before it is released, so that no measurement waits for a
 * process that has ended.
 */
export class Children {
  private readonly running = new Map<ChildProcess, string>();
  private fail: (error: Error) => void = () => undefined;
  private readonly failure = new Promise<never>((_, reject) => {
    this.fail = reject;
  });

  constructor() {
    // Users of the processes receive the failure. Until then it must not count as unhandled.
    this.failure.catch(() => undefined);
  }

  /** Watches a process. Its name is used in the error. */
  watch<Child extends ChildProcess>(name: string, child: Child): Child {
    this.running.set(child, name);
    const ended = (how: string): void => {
      if (this.running.delete(child)) this.fail(new Error(`The ${name} of the benchmark ${how}.`));
    };
    child.once('error', (error) => {
      ended(`did not start: ${error.message}`);
    });
    child.once('exit', (code, signal) => {
      ended(`ended with ${String(code ?? signal)}`);
    });
    return child;
  }

  /** Starts one of this folder's processes, which communicates by messages. */
  fork(
    name: 'server' | 'bare-koa' | 'load' | 'webhook-receiver',
    args: readonly string[] = [],
  ): ChildProcess {
    const file = path.join(__dirname, `${name}${path.extname(__filename)}`);
    return this.watch(
      name,
      fork(file, args, { execArgv: [...process.execArgv, ...(name === 'server' ? API_NODE_FLAGS : [])] }),
    );
  }

  /** @throws Error if one of the processes ends before the work does */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.failure]);
  }

  /** Waits for the next message of a process. */
  reply<Message>(child: ChildProcess): Promise<Message> {
    const message = new Promise<Message>((resolve) => {
      child.once('message', (received) => {
        resolve(received as Message);
      });
    });
    return this.during(message);
  }

  /** Releases a process. From here on it may end. */
  letGo(child: ChildProcess): void {
    this.running.delete(child);
    if (child.connected) child.disconnect();
  }

  /** Asks all processes to end, and waits until they have. */
  async end(): Promise<void> {
    const left = [...this.running.keys()];
    this.running.clear();
    await Promise.all(
      left.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exited = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await exited;
      }),
    );
  }
}

/** Prints the machine and the counts, for comparing two runs. */
export function announce(counts: Readonly<Record<string, number | string>>, about: string): void {
  const processors = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`;
  console.log(`${processors}, Node ${process.version}; ${about}`);
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name}=${count}`)
      .join(' '),
  );
}
