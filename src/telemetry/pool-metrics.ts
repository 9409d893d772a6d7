import { Gauge, type Registry } from 'prom-client';
import type { PoolCounts } from '../db/pool-counts';

/** Reports connection pools at each scrape, as `tollgate_database_connections{pool,state}`. */
export function registerPoolMetrics(
  registry: Registry,
  pools: Readonly<Record<string, () => PoolCounts>>,
): void {
  const gauge = new Gauge({
    name: 'tollgate_database_connections',
    help: 'Database connections by pool and state; "waiting" counts callers without one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect: () => {
      for (const [pool, counts] of Object.entries(pools)) {
        for (const [state, value] of Object.entries(counts())) gauge.set({ pool, state }, value as number);
      }
    },
  });
}
