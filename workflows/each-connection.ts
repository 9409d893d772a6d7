import {
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

/** How far a workflow has come that goes through all connections; its only input. */
export interface ConnectionProgress {
  /** Whose connections; both, where an earlier version's schedule has begun it. */
  environment?: Environment;
  /** The connection after which it goes on; empty at the beginning. */
  after: string;
  /** Of the next connections those that were begun: where each goes on; null where it is done. */
  begun?: { connectionId: string; after: string | null }[];
}

/** A run with so many events makes way for the next: a page of connections may be of many thousands of parts. */
const LONG_HISTORY = 200;

/** Whether this run is to make way for the next as soon as it can. A history of before went on to the end of its page. */
export function isLongRun(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return (continueAsNewSuggested || historyLength >= LONG_HISTORY) && patched('2026-11-connections-in-runs');
}

/**
 * Visits every connection of an environment whose provider can be asked, and goes on in a new run when the history
 * has become long.
 *
 * @param soFar what `visit` adds up
 * @param options.abreast so many connections at once
 * @param options.visit has to end well: a connection that fails holds up no other. It gets where it goes on, null at the
 *   beginning; in a long run it may end early, and answers where the next one goes on, null when it is done
 * @param options.inWords how far it has come
 */
export async function eachConnection<Progress extends ConnectionProgress>(
  soFar: Progress,
  options: {
    abreast: number;
    visit: (connection: SettlementConnection, from: string | null) => Promise<string | null>;
    inWords: () => string;
  },
): Promise<Progress> {
  const { abreast, visit, inWords } = options;
  const goOnAsNew = (): Promise<never> => continueAsNew<(its: Progress) => Promise<Progress>>(soFar);
  for (;;) {
    const { connections, after } = await listSettlementConnections({
      after: soFar.after,
      ...(soFar.environment !== undefined && { environment: soFar.environment }),
    });
    for (let start = 0; start < connections.length; start += abreast) {
      const group = connections.slice(start, start + abreast);
      await visitGroup(group);
      if (!isLongRun()) continue;
      setCurrentDetails(inWords());
      await goOnAsNew();
    }
    setCurrentDetails(inWords());
    if (after === null) return soFar;
    soFar.after = after;
    if (workflowInfo().continueAsNewSuggested) await goOnAsNew();
  }

  /** What is done of a group is not begun again by the next run, which comes to all of it while a part of it is not. */
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
