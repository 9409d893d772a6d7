import type { z } from 'zod';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Actor } from '../tenancy/actor';
import { countAttention } from './attention-store';
import { toOverview, type overviewSchema } from './overview-resource';
import { readProcessSigns } from './process-store';

type Overview = z.output<typeof overviewSchema>;

/** Reads what needs attention in an environment, and whether the installation's processes work. */
export type ReadOverview = (actor: Actor) => Promise<Overview>;

/** @param temporalState whether Temporal answers; applies its own timeout */
export function createReadOverview(options: {
  database: Database;
  temporalState: () => Promise<Overview['processes']['temporal']>;
}): ReadOverview {
  const { database, temporalState } = options;
  return async ({ scope, reason, receivedAt }) => {
    const [attention, signs, temporal] = await Promise.all([
      inWorkspace(database, scope, reason, (trx) => countAttention(trx, scope, receivedAt)),
      readProcessSigns(database, receivedAt),
      temporalState(),
    ]);
    return toOverview(attention, signs, temporal, receivedAt);
  };
}
