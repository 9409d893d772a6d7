import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { ageInSeconds } from '../telemetry/age-in-seconds';
import { sharedRead } from '../telemetry/shared-read';
import { measureDeliveries } from './due-store';

const OUTCOMES = ['delivered', 'failed', 'gone', 'not_sent'] as const;

export interface DelivererMetrics {
  attempt(outcome: (typeof OUTCOMES)[number], durationMs: number): void;
}

/** Maximum number of rows counted. A longer backlog is no more alarming. */
const COUNTED = 100_000;

/** Metrics of the deliverer's attempts and of due deliveries. Counts of due deliveries stop at `COUNTED`. */
export function createDelivererMetrics(
  registry: Registry,
  { database, clock, underWay }: { database: Database; clock: Clock; underWay: () => number },
): DelivererMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'tollgate_webhook_attempts_total',
    help: 'Attempts to deliver webhooks to integrators; `not_sent` if the message could not be created.',
    labelNames: ['outcome'],
    registers,
  });
  // Otherwise Prometheus would not count the first of each outcome.
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  const durations = new Histogram({
    name: 'tollgate_webhook_attempt_duration_seconds',
    help: 'How long an attempt took, including the response.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  new Gauge({
    name: 'tollgate_webhook_attempts_under_way',
    help: 'Attempts in progress in this process.',
    registers,
    collect() {
      this.set(underWay());
    },
  });
  const measured = sharedRead(async () => {
    const at = clock.now();
    const rows = await measureDeliveries(database, at, COUNTED);
    return rows.map((row) => ({ ...row, age: ageInSeconds(row.oldest, at) }));
  });
  const ofDue = (name: string, help: string, figure: 'items' | 'age'): void => {
    const collect = async function (this: Gauge): Promise<void> {
      for (const row of await measured()) this.set({ environment: row.environment }, row[figure]);
    };
    new Gauge({ name, help, labelNames: ['environment'], registers, collect });
  };
  ofDue(
    'tollgate_webhook_deliveries_due',
    'Deliveries that are due, of endpoints that do not fail.',
    'items',
  );
  ofDue(
    'tollgate_webhook_deliveries_oldest_seconds',
    'How late the earliest of them is; 0 without one.',
    'age',
  );
  return {
    attempt: (outcome, durationMs) => {
      attempts.inc({ outcome });
      durations.observe(durationMs / 1_000);
    },
  };
}
