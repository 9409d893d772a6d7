import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../clock/system-clock';

interface RoundsOptions {
  registry: Registry;
  clock: Clock;
  log: Logger;
  /** Returns the failure of a round in words for an operator. */
  explain: (error: unknown) => string;
  /** Resolves when the first rounds may begin. */
  ready: Promise<unknown>;
  stopping: AbortSignal;
}

/** Repeats a round of maintenance with a pause (milliseconds) in between, until it is stopped. */
export type Every = (name: string, milliseconds: number, round: () => Promise<unknown>) => Promise<void>;

/** Creates the runner of rounds, with a metric of their last success. A round that fails does not stop the next. */
export function createRounds({ registry, clock, log, explain, ready, stopping }: RoundsOptions): Every {
  const succeededAt = new Gauge({
    name: 'tollgate_maintenance_success_timestamp_seconds',
    help: 'When a round of maintenance last succeeded, 0 where none has since this process began; `usage` rolls usage up, `minute` restores lost jobs, `hour` keeps partitions and retention.',
    labelNames: ['round'],
    registers: [registry],
  });
  return async (name, milliseconds, round) => {
    // A round that never succeeds is late, too. Without an initial value no alert rule would detect it.
    succeededAt.set({ round: name }, 0);
    await ready;
    while (!stopping.aborted) {
      try {
        await round();
        succeededAt.set({ round: name }, clock.now() / 1_000);
      } catch (error) {
        const detail = explain(error);
        log.error(
          { round: name, err: error, detail },
          'a round of maintenance failed and is retried by the next one',
        );
      }
      await pause(milliseconds, undefined, { signal: stopping }).catch(() => undefined);
    }
  };
}
