import { endsWithin, type RunningProcess } from './child-process';

/** Something that is to run for as long as the supervisor does. */
export interface Service {
  name: string;
  start(): Promise<RunningProcess>;
}

export interface SupervisorOptions {
  /** Takes messages for the person at the terminal. */
  say: (message: string) => void;
  /** Told each time the set of processes changes, so that a later run can find what this one left behind. */
  changed?: (processes: readonly { name: string; pid: number }[]) => Promise<void>;
  /** Milliseconds to wait before the nth restart in a row (from 1). */
  pauseBefore?: (restart: number) => number;
  /** A process that lived this long (milliseconds) is taken to have recovered. */
  settledAfter?: number;
}

interface Supervised {
  running: RunningProcess | undefined;
  /** Ends when the service has been stopped for good. */
  loop: Promise<void>;
  name: string;
}

/** Growing, so that a service that cannot start does not take the machine; short, so that one that can is soon back. */
export function pauseBefore(restart: number): number {
  return Math.min(5_000, 250 * 2 ** (restart - 1));
}

/** Keeps processes running: one that ends is started again. Stopping goes through them in the reverse order. */
export class Supervisor {
  private readonly services: Supervised[] = [];
  private readonly stopping = new AbortController();
  private hurry: AbortSignal | undefined;

  constructor(private readonly options: SupervisorOptions) {}

  /**
   * Starts a service and keeps it running.
   *
   * @throws what the first start throws; later ones are tried again
   */
  async add(service: Service): Promise<void> {
    const running = await service.start();
    const supervised: Supervised = { name: service.name, running, loop: Promise.resolve() };
    this.services.push(supervised);
    await this.publish();
    supervised.loop = this.keepRunning(service, supervised, running);
  }

  /**
   * Stops every service, the one added last first; each is gone before the next is asked.
   *
   * @param hurry when it fires, nothing is waited for any longer
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
    const { settledAfter = 30_000 } = this.options;
    let restarts = 0;
    for (let running = first; ;) {
      const began = performance.now();
      const how = await running.exited;
      supervised.running = undefined;
      if (performance.now() - began >= settledAfter) restarts = 0;
      const next = await this.restart(service, how, restarts);
      if (next === undefined) return;
      ({ running, restarts } = next);
      supervised.running = running;
      await this.publish();
      // A stop that came while it was starting found nothing to stop.
      if (this.isStopping()) await running.stop(this.hurry);
    }
  }

  /** @returns undefined when the service is to stay stopped */
  private async restart(
    service: Service,
    how: string,
    restarts: number,
  ): Promise<{ running: RunningProcess; restarts: number } | undefined> {
    for (let reason = how; !this.isStopping();) {
      restarts++;
      const pause = (this.options.pauseBefore ?? pauseBefore)(restarts);
      this.options.say(`${service.name} ${reason}; it is started again in ${pause / 1000} s`);
      await endsWithin(NEVER, pause, this.stopping.signal);
      if (this.isStopping()) return undefined;
      try {
        return { running: await service.start(), restarts };
      } catch (error) {
        reason = `could not be started (${error instanceof Error ? error.message : String(error)})`;
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
      await this.options.changed?.(running);
    } catch (error) {
      this.options.say(`the list of processes could not be written (${String(error)})`);
    }
  }
}

const NEVER = new Promise<never>(() => undefined);
