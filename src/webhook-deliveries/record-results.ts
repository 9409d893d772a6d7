import { contextCall, inOneRoundTrip, keyLookupsCall, lazyCommitCall, together } from '../db/calls';
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
  noteReachedCall,
  saveFailingSince,
  type AttemptResult,
  type Reached,
} from './result-store';

/** An attempt that is over. */
export interface Finished {
  result: AttemptResult;
  /** What it says about its endpoint, and at which address; null where it was our own fault. */
  tried: (Tried & { url: string }) | null;
  /** When it would be tried again after any failure; null where it has had its attempts. */
  again: Instant | null;
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
  // Of endpoints that did not fail, and do not, nothing has to be read first. A result that a crash takes back is one that
  // was not written: the message is sent again.
  if (doubtful.length === 0) {
    const context = contextCall(scope, 'SYSTEM', null);
    const reached = noteReachedCall(scope, reachedOf(finished));
    await inOneRoundTrip(database, [context, lazyCommitCall(), reached, ...written(finished)]);
    return;
  }
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    // Endpoints before deliveries, as everybody locks them.
    const ids = new Set(finished.map(({ result }) => result.endpointId));
    const urls = await judgeEndpoints(trx, scope, { ids, finished }, now);
    await together(trx, written(finished.map((one) => sentElsewhere(one, urls))));
  });
}

/** The last of the attempts at each address of an endpoint. They have all succeeded. */
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
 * Says of endpoints since when they fail, and disables those that are to be. What was tried at an address that an endpoint
 * has no more says nothing about it.
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

/** Who answered 410 at a former address speaks for that address alone: the message is tried again where the endpoint is now. */
function sentElsewhere(finished: Finished, urls: ReadonlyMap<string, string>): Finished {
  const { result, tried, again } = finished;
  if (tried?.outcome !== 'gone' || again === null) return finished;
  const url = urls.get(result.endpointId);
  if (url === undefined || url === tried.url) return finished;
  return { ...finished, result: { ...result, status: 'pending', nextAttemptAt: again, endedAt: null } };
}
