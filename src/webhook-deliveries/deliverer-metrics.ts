import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { measureDeliveries } from './due-store';

export interface DelivererMetrics {
  attempt(outcome: 'delivered' | 'failed' | 'gone' | 'not_sent', durationMs: number): void;
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
  const due = new Gauge({
    name: 'tollgate_webhook_deliveries_due',
    help: 'Deliveries that are due, of endpoints that do not fail.',
    labelNames: ['environment'],
    registers,
  });
  new Gauge({
    name: 'tollgate_webhook_deliveries_oldest_seconds',
    help: 'How late the earliest of them is; 0 without one.',
    labelNames: ['environment'],
    registers,
    async collect() {
      const at = clock.now();
      for (const { environment, items, oldest } of await measureDeliveries(database, at, COUNTED)) {
        due.set({ environment }, items);
        this.set({ environment }, oldest === null ? 0 : Math.max(0, (at - oldest) / 1_000));
      }
    },
  });
  return {
    attempt: (outcome, durationMs) => {
      attempts.inc({ outcome });
      durations.observe(durationMs / 1_000);
    },
  };
}
