import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
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
}

/**
 * Visits every connection of an environment whose provider can be asked, and goes on in a new run when the history
 * has become long.
 *
 * @param soFar what `visit` adds up
 * @param options.abreast so many connections at once
 * @param options.visit has to end well: a connection that fails holds up no other
 * @param options.inWords how far it has come
 */
export async function eachConnection<Progress extends ConnectionProgress>(
  soFar: Progress,
  options: {
    abreast: number;
    visit: (connection: SettlementConnection) => Promise<void>;
    inWords: () => string;
  },
): Promise<Progress> {
  const { abreast, visit, inWords } = options;
  for (;;) {
    const { connections, after } = await listSettlementConnections({
      after: soFar.after,
      ...(soFar.environment !== undefined && { environment: soFar.environment }),
    });
    for (let start = 0; start < connections.length; start += abreast) {
      await Promise.all(connections.slice(start, start + abreast).map(visit));
    }
    setCurrentDetails(inWords());
    if (after === null) return soFar;
    soFar.after = after;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<(its: Progress) => Promise<Progress>>(soFar);
  }
}
