import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { POSTGRES, PROVIDER } from './activity-options';
import type {
  ProviderSettlementActivities,
  SettlementActivities,
  SettlementConnection,
} from './activity-types';

const { listSettlementConnections } = proxyActivities<SettlementActivities>(POSTGRES);

const { collectSettlements } = proxyActivities<ProviderSettlementActivities>({
  ...PROVIDER,
  // A list has pages, and each settlement a transaction.
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '40m',
  retry: { initialInterval: '30s', backoffCoefficient: 4, maximumInterval: '5m', maximumAttempts: 3 },
});

/** So many connections are asked at once. */
const ABREAST = 5;

/** How far a poll has come. */
export interface SettlementPollInput {
  /** The connection after which it goes on; empty at the beginning. */
  after: string;
  /** Connections that were asked, and those of them that could not be. */
  asked: number;
  failed: number;
  /** Settlements that were new, or not as they are now. */
  settlements: number;
}

/**
 * Asks every connection's provider for its settlements, run by a schedule. A connection that fails is asked again the
 * next time, for the days that are missing, and holds up no other.
 */
export async function settlementPoll(
  input: SettlementPollInput = { after: '', asked: 0, failed: 0, settlements: 0 },
): Promise<SettlementPollInput> {
  const soFar = { ...input };
  for (;;) {
    const page = await listSettlementConnections({ after: soFar.after });
    for (let start = 0; start < page.connections.length; start += ABREAST) {
      const group = page.connections.slice(start, start + ABREAST);
      for (const settlements of await Promise.all(group.map(collected))) {
        soFar.asked += 1;
        if (settlements === null) soFar.failed += 1;
        else soFar.settlements += settlements;
      }
    }
    setCurrentDetails(
      `Asked ${soFar.asked} connections, ${soFar.failed} of them in vain: ${soFar.settlements} settlements`,
    );
    if (page.after === null) return soFar;
    soFar.after = page.after;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof settlementPoll>(soFar);
  }
}

/** Null where the provider could not be asked. */
async function collected(connection: SettlementConnection): Promise<number | null> {
  try {
    const { recorded, changed } = await collectSettlements(connection);
    return recorded + changed;
  } catch {
    return null;
  }
}
