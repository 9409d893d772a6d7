import { proxyActivities } from '@temporalio/workflow';
import { WHOLE_CONNECTION } from './activity-options';
import type { ProviderSettlementActivities, SettlementConnection } from './activity-types';
import { eachConnection, type ConnectionProgress } from './each-connection';
import { providersQueueOf } from './continue-run-as-new';

/** Progress of a poll. */
export interface SettlementPollInput extends ConnectionProgress {
  /** Connections asked, and how many of them failed. */
  asked: number;
  failed: number;
  /** Settlements that were new or had changed. */
  settlements: number;
}

const BEGINNING: SettlementPollInput = { after: '', asked: 0, failed: 0, settlements: 0 };

/**
 * Asks every connection's provider for its settlements; run by a schedule. A connection that fails is asked for the
 * missing days the next time.
 */
export async function settlementPoll(input: Partial<SettlementPollInput> = {}): Promise<SettlementPollInput> {
  const soFar = { ...BEGINNING, ...input };
  return eachConnection(soFar, {
    concurrency: 5,
    visit: async (connection) => {
      await collect(connection, soFar);
      return null;
    },
    describe: () =>
      `Asked ${soFar.asked} connections, ${soFar.failed} of them in vain: ${soFar.settlements} settlements`,
  });
}

async function collect(connection: SettlementConnection, soFar: SettlementPollInput): Promise<void> {
  soFar.asked += 1;
  const taskQueue = providersQueueOf(connection.environment);
  const { collectSettlements } = proxyActivities<ProviderSettlementActivities>({
    ...WHOLE_CONNECTION,
    taskQueue,
  });
  try {
    const { recorded, changed } = await collectSettlements(connection);
    soFar.settlements += recorded + changed;
  } catch {
    soFar.failed += 1;
  }
}
