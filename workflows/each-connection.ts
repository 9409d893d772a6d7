import {
  CancellationScope,
  CancelledFailure,
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { Environment } from '../src/domain/environment';
import { POSTGRES } from './activity-options';
import type { SettlementActivities, SettlementConnection } from './activity-types';

const { listSettlementConnections } = proxyActivities<SettlementActivities>(POSTGRES);

/** Progress of a workflow that processes all connections; its only input. */
export interface ConnectionProgress {
  /** The environment of the connections; both if an earlier version's schedule started it. */
  environment?: Environment;
  /** The connection after which to continue; empty at the beginning. */
  after: string;
  /** Of the next connections, those already begun: where each continues; null if it is done. */
  begun?: { connectionId: string; after: string | null }[];
}

/** Number of events after which a run continues as new: a page of connections may have many thousands of parts. */
const LONG_HISTORY = 200;

/**
 * Returns whether this run should continue as new as soon as it can. Patched, because earlier histories continued to
 * the end of their page.
 */
export function isLongRun(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return (continueAsNewSuggested || historyLength >= LONG_HISTORY) && patched('2026-11-connections-in-runs');
}

/**
 * Visits every connection of an environment whose provider can be asked, and continues in a new run when the history
 * gets long.
 *
 * @param soFar the progress that `visit` updates
 * @param options.concurrency how many connections to visit concurrently
 * @param options.visit must not throw, so that a failing connection does not hold up others. Receives where to
 *   continue, null at the beginning. In a long run it may return early with where the next run continues; null if it is
 *   done
 * @param options.describe describes the progress
 */
export async function eachConnection<Progress extends ConnectionProgress>(
  soFar: Progress,
  options: {
    concurrency: number;
    visit: (connection: SettlementConnection, from: string | null) => Promise<string | null>;
    describe: () => string;
  },
): Promise<Progress> {
  const { concurrency, visit, describe } = options;
  const continueInNewRun = (): Promise<never> => continueAsNew<(its: Progress) => Promise<Progress>>(soFar);
  for (;;) {
    const { connections, after } = await listSettlementConnections({
      after: soFar.after,
      ...(soFar.environment !== undefined && { environment: soFar.environment }),
    });
    for (let start = 0; start < connections.length; start += concurrency) {
      const group = connections.slice(start, start + concurrency);
      await visitGroup(group);
      // A visit takes the cancellation of its activity for a failure of its connection.
      if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('It was cancelled.');
      if (!isLongRun()) continue;
      setCurrentDetails(describe());
      await continueInNewRun();
    }
    setCurrentDetails(describe());
    if (after === null) return soFar;
    soFar.after = after;
    if (workflowInfo().continueAsNewSuggested) await continueInNewRun();
  }

  /**
   * Visits a group. Unless the whole group is done, the next run visits it again, but skips its finished connections.
   */
  async function visitGroup(group: readonly SettlementConnection[]): Promise<void> {
    const before = new Map(soFar.begun?.map((one) => [one.connectionId, one.after]));
    const begun = await Promise.all(
      group.map(async (connection) => {
        const { connectionId } = connection;
        const from = before.get(connectionId);
        return { connectionId, after: from === null ? null : await visit(connection, from ?? null) };
      }),
    );
    if (begun.some(({ after }) => after !== null)) soFar.begun = begun;
    else {
      soFar.after = group.at(-1)?.connectionId ?? soFar.after;
      delete soFar.begun;
    }
  }
}
