import { exitsWithin, type RunningProcess } from './child-process';
import { errorMessage } from '../domain/errors';

/** A process that the supervisor keeps running. */
export interface Service {
  name: string;
  start(): Promise<RunningProcess>;
}

export interface SupervisorOptions {
  /** Writes a message to the terminal. */
  print: (message: string) => void;
  /** Called when the set of processes changes, so that a later run can find leftovers of this one. */
  onChange?: (processes: readonly { name: string; pid: number }[]) => Promise<void>;
  /** Milliseconds to wait before the nth restart in a row (from 1). */
  restartDelay?: (restart: number) => number;
  /** After a process has run for this long, its next restart counts as the first. */
  stableAfterMs?: number;
}

interface Supervised {
  running: RunningProcess | undefined;
  /** Resolves when the service is stopped and no longer restarted. */
  loop: Promise<void>;
  name: string;
}

/** Returns an exponential backoff from 0.25 to 5 seconds. */
export function restartDelay(restart: number): number {
  return Math.min(5_000, 250 * 2 ** (restart - 1));
}

/** Keeps processes running by restarting those that end. Stops them in the reverse order. */
export class Supervisor {
  private readonly services: Supervised[] = [];
  private readonly stopping = new AbortController();
  private hurry: AbortSignal | undefined;

  constructor(private readonly options: SupervisorOptions) {}

  /**
   * Starts a service and keeps it running.
   *
   * @throws the error of the first start; later failures are retried
   */
  async add(service: Service): Promise<void> {
    const running = await service.start();
    const supervised: Supervised = { name: service.name, running, loop: Promise.resolve() };
    this.services.push(supervised);
    await this.publish();
    supervised.loop = this.keepRunning(service, supervised, running);
  }

  /**
   * Stops every service in the reverse order of their addition. Each has ended before the next is stopped.
   *
   * @param hurry when it fires, the remaining processes get no more time to finish
   */
  async stop(hurry?: AbortSignal): Promise<void> {
    this.hurry = hurry;
    this.stopping.abort();
    for (const supervised of this.services.toReversed()) {
      await supervised.running?.stop(hurry);
      await supervised.loop;
      await this.publish();
    }
  }

  private async keepRunning(service: Service, supervised: Supervised, first: RunningProcess): Promise<void> {
    const { stableAfterMs = 30_000 } = this.options;
    let restarts = 0;
    for (let running = first; ;) {
      const began = performance.now();
      const how = await running.exited;
      supervised.running = undefined;
      if (performance.now() - began >= stableAfterMs) restarts = 0;
      const next = await this.restart(service, how, restarts);
      if (next === undefined) return;
      ({ running, restarts } = next);
      supervised.running = running;
      await this.publish();
      // A stop during the start found no process to stop.
      if (this.isStopping()) await running.stop(this.hurry);
    }
  }

  /** @returns undefined if the service must stay stopped */
  private async restart(
    service: Service,
    how: string,
    restarts: number,
  ): Promise<{ running: RunningProcess; restarts: number } | undefined> {
    for (let reason = how; !this.isStopping();) {
      restarts++;
      const pause = (this.options.restartDelay ?? restartDelay)(restarts);
      this.options.print(`${service.name} ${reason}; it is restarted in ${pause / 1000} s`);
      await exitsWithin(NEVER, pause, this.stopping.signal);
      if (this.isStopping()) return undefined;
      try {
        return { running: await service.start(), restarts };
      } catch (error) {
        reason = `could not be started (${errorMessage(error)})`;
      }
    }
    return undefined;
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async publish(): Promise<void> {
    const running = this.services.flatMap(({ name, running: process }) =>
      process ? [{ name, pid: process.pid }] : [],
    );
    try {
      await this.options.onChange?.(running);
    } catch (error) {
      this.options.print(`the list of processes could not be written (${String(error)})`);
    }
  }
}

const NEVER = new Promise<never>(() => undefined);
