import { together } from '../db/calls';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { failingSince, whyDisable, type Tried } from '../domain/webhook-outcome';
import type { WorkspaceScope } from '../tenancy/actor';
import { disableEndpoint } from './disable-endpoint';
import {
  insertAttemptsCall,
  lockHealth,
  moveDeliveriesCall,
  saveFailingSince,
  type AttemptResult,
} from './result-store';

/** An attempt that is over. */
export interface Finished {
  result: AttemptResult;
  /** What it says about its endpoint; null where it was our own fault. */
  tried: Tried | null;
  /** Whether the endpoint failed before it. */
  wasFailing: boolean;
}

/** Writes what became of attempts of one tenant, in one transaction. @param now real time */
export async function recordResults(
  database: Database,
  scope: WorkspaceScope,
  finished: readonly Finished[],
  now: Instant,
): Promise<void> {
  const results = finished.map(({ result }) => result);
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    // Endpoints before deliveries, as everybody locks them.
    await judgeEndpoints(trx, scope, finished, now);
    await together(trx, [moveDeliveriesCall(scope, results), insertAttemptsCall(scope, results)]);
  });
}

/** An endpoint that did not fail, and does not, is left alone. */
async function judgeEndpoints(
  trx: DbTransaction,
  scope: WorkspaceScope,
  finished: readonly Finished[],
  now: Instant,
): Promise<void> {
  const triedOf = new Map<string, Tried[]>();
  const doubtful = new Set<string>();
  for (const { result, tried, wasFailing } of finished) {
    if (tried === null) continue;
    triedOf.set(result.endpointId, [...(triedOf.get(result.endpointId) ?? []), tried]);
    if (wasFailing || tried.outcome !== 'delivered') doubtful.add(result.endpointId);
  }
  if (doubtful.size === 0) return;
  for (const { id, failingSince: before, disabledAt } of await lockHealth(trx, scope, [...doubtful])) {
    const tried = triedOf.get(id) ?? [];
    const since = failingSince(before, tried);
    if (since !== before) await saveFailingSince(trx, scope, id, since);
    const why = disabledAt === null ? whyDisable(since, tried) : null;
    if (why !== null) await disableEndpoint(trx, scope, id, why, now);
  }
}
