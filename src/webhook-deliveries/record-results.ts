import { keyLookupsCall, lazyCommitCall, together } from '../db/calls';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace, inWorkspaceAtOnce } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { failingSince, whyDisable, type Tried } from '../domain/webhook-outcome';
import type { WorkspaceScope } from '../tenancy/actor';
import { disableEndpoint } from './disable-endpoint';
import {
  insertAttemptsCall,
  lockHealth,
  moveDeliveriesCall,
  noteReachedCall,
  saveFailingSince,
  type AttemptResult,
  type Reached,
} from './result-store';

/** A finished attempt. */
export interface Finished {
  result: AttemptResult;
  /** The attempt's verdict on its endpoint, and the address used; null if the fault was ours. */
  tried: (Tried & { url: string }) | null;
  /** When the next retry would be after any failure; null if no attempts remain. */
  again: Instant | null;
  /** Whether the endpoint was failing before this attempt. */
  wasFailing: boolean;
}

/** Records the outcomes of one tenant's attempts in one transaction. @param now real time */
export async function recordResults(
  database: Database,
  scope: WorkspaceScope,
  finished: readonly Finished[],
  now: Instant,
): Promise<void> {
  const doubtful = finished.filter(
    ({ tried, wasFailing }) => tried !== null && (wasFailing || tried.outcome !== 'delivered'),
  );
  const written = (all: readonly Finished[]) => {
    const results = all.map(({ result }) => result);
    return [
      keyLookupsCall(),
      moveDeliveriesCall(scope, results),
      insertAttemptsCall(scope, results),
    ] as const;
  };
  // If no endpoint was or is failing, nothing has to be read first. A result that a crash undoes counts as unwritten:
  // the message is sent again.
  if (doubtful.length === 0) {
    const reached = noteReachedCall(scope, reachedOf(finished));
    await inWorkspaceAtOnce(database, scope, 'SYSTEM', [lazyCommitCall(), reached, ...written(finished)]);
    return;
  }
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    // Endpoints before deliveries: the order in which all transactions lock them.
    const ids = new Set(finished.map(({ result }) => result.endpointId));
    const urls = await judgeEndpoints(trx, scope, { ids, finished }, now);
    await together(trx, written(finished.map((one) => sentElsewhere(one, urls))));
  });
}

/** Returns the last attempt at each address of each endpoint. All of them succeeded. */
function reachedOf(finished: readonly Finished[]): Reached[] {
  const last = new Map<string, Reached>();
  for (const { result, tried } of finished) {
    if (tried === null) continue;
    const { endpointId } = result;
    const key = `${endpointId} ${tried.url}`;
    if ((last.get(key)?.at ?? -Infinity) < tried.at)
      last.set(key, { endpointId, url: tried.url, at: tried.at });
  }
  return [...last.values()];
}

/**
 * Records since when endpoints have been failing, and disables those that are due for it. An attempt at an address that
 * the endpoint no longer has is ignored.
 *
 * @returns their addresses, by id
 */
async function judgeEndpoints(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { ids, finished }: { ids: ReadonlySet<string>; finished: readonly Finished[] },
  now: Instant,
): Promise<ReadonlyMap<string, string>> {
  const endpoints = await lockHealth(trx, scope, [...ids]);
  for (const { id, url, failingSince: before, disabledAt } of endpoints) {
    const tried = finished.flatMap((one) =>
      one.result.endpointId === id && one.tried?.url === url ? [one.tried] : [],
    );
    if (tried.length === 0) continue;
    const since = failingSince(before, tried);
    if (since !== before) await saveFailingSince(trx, scope, id, since);
    const why = disabledAt === null ? whyDisable(since, tried) : null;
    if (why !== null) await disableEndpoint(trx, scope, id, why, now);
  }
  return new Map(endpoints.map(({ id, url }) => [id, url]));
}

/**
 * Schedules a retry if the 410 came from a former address of the endpoint: it speaks for that address only, so the
 * message is tried at the current one.
 */
function sentElsewhere(finished: Finished, urls: ReadonlyMap<string, string>): Finished {
  const { result, tried, again } = finished;
  if (tried?.outcome !== 'gone' || again === null) return finished;
  const url = urls.get(result.endpointId);
  if (url === undefined || url === tried.url) return finished;
  return { ...finished, result: { ...result, status: 'pending', nextAttemptAt: again, endedAt: null } };
}
