import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { ENVIRONMENTS } from '../domain/environment';
import { ageInSeconds } from '../telemetry/age-in-seconds';
import { sharedRead } from '../telemetry/shared-read';
import { findUsageToRollUp } from '../usage-history/waiting-usage-store';
import { countFailingJobs, readBacklogs, readOutbox, type Backlog } from './backlog-store';

/**
 * Registers metrics of the backlogs in Postgres, read at each scrape. Counts stop at `COUNTED`. A scrape that cannot read
 * answers 500, which Prometheus shows as `up` 0.
 */
export function registerBacklogMetrics(registry: Registry, database: Database, clock: Clock): void {
  const outbox = sharedRead(async () => {
    const at = clock.now();
    const { items, oldest } = await readOutbox(database, at);
    return { items, age: ageInSeconds(oldest, at), failing: await countFailingJobs(database) };
  });
  const backlogs = sharedRead(async () => {
    const at = clock.now();
    return (await readBacklogs(database, at)).map((row) => ({ ...row, age: ageInSeconds(row.oldest, at) }));
  });
  const registers = [registry];
  const ofOutbox = (name: string, help: string, figure: 'items' | 'age' | 'failing'): void => {
    const collect = async function (this: Gauge): Promise<void> {
      this.set((await outbox())[figure]);
    };
    new Gauge({ name, help, registers, collect });
  };
  const of = (name: string, help: string, backlog: Backlog['backlog'], figure: 'items' | 'age'): void => {
    const collect = async function (this: Gauge): Promise<void> {
      for (const row of await backlogs()) {
        if (row.backlog === backlog) this.set({ environment: row.environment }, row[figure]);
      }
    };
    new Gauge({ name, help, labelNames: ['environment'], registers, collect });
  };
  new Gauge({
    name: 'tollgate_usage_rollup_oldest_seconds',
    help: 'How long ago the oldest use was recorded that is not rolled up; 0 without one. A sandbox counts by its own time.',
    labelNames: ['environment'],
    registers,
    async collect() {
      const at = clock.now();
      const waiting = await findUsageToRollUp(database);
      for (const environment of ENVIRONMENTS) {
        const ages = waiting
          .filter((one) => one.environment === environment)
          .map(({ since }) => ageInSeconds(since, at));
        this.set({ environment }, Math.max(0, ...ages));
      }
    },
  });
  ofOutbox('tollgate_outbox_jobs', 'Jobs that may run and are not running.', 'items');
  ofOutbox(
    'tollgate_outbox_oldest_seconds',
    'How long the oldest job that may run has been in the outbox; 0 without one.',
    'age',
  );
  ofOutbox(
    'tollgate_outbox_failing_jobs',
    'Signals to workflows that have failed at least five times, and jobs of any kind that are no longer tried.',
    'failing',
  );
  of(
    'tollgate_overdue_wakes',
    'Subscriptions and checkouts whose renewal or other step of time is overdue; a sandbox counts by real time.',
    'overdue_wakes',
    'items',
  );
  of(
    'tollgate_overdue_wakes_oldest_seconds',
    'How late the earliest overdue wake of a subscription or checkout is; 0 without one.',
    'overdue_wakes',
    'age',
  );
  of('tollgate_open_operations', 'Commands without an outcome.', 'open_operations', 'items');
  of(
    'tollgate_open_operations_oldest_seconds',
    'How long ago the oldest command without an outcome was sent; 0 without one.',
    'open_operations',
    'age',
  );
  of('tollgate_past_due_subscriptions', 'Subscriptions that are past due.', 'past_due', 'items');
}
