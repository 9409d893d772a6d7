import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import { forEachWorkspace } from '../db/each-workspace';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { cancelPending } from '../webhook-endpoints/delivery-store';
import type { FoundEndpoint } from './due-store';
import { lockHealth } from './result-store';

/** Cancels the pending deliveries of disabled endpoints, concurrently with sending. */
export interface Canceller {
  /** Starts on these endpoints, unless earlier ones are still in progress. Skipped endpoints are found again later. */
  begin(disabled: readonly FoundEndpoint[]): void;
  /** Resolves once no work is in progress. */
  idle(): Promise<void>;
}

/** Deliveries of one endpoint cancelled in one transaction. The rest are found again later. */
const CANCELLED = 1_000;

/** Works on one endpoint at a time, so that any number of endpoints takes one connection. */
export function createCanceller({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Logger;
}): Canceller {
  let working: Promise<void> | undefined;
  const cancelSome = async ({ workspaceId, environment, endpointId }: FoundEndpoint): Promise<void> => {
    const scope = { workspaceId, environment };
    const some = { limit: CANCELLED, now: clock.now() };
    await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      // The endpoint may have been enabled since it was found. Its pending deliveries are then new, or were requested
      // again.
      const [endpoint] = await lockHealth(trx, scope, [endpointId]);
      if (endpoint === undefined || endpoint.disabledAt === null) return;
      await cancelPending(trx, scope, endpointId, some);
    });
  };
  return {
    begin: (disabled) => {
      if (disabled.length === 0) return;
      working ??= forEachWorkspace(disabled, null, cancelSome)
        .catch((error: unknown) => {
          log.error({ err: error }, 'what disabled endpoints had pending could not be cancelled yet');
        })
        .finally(() => {
          working = undefined;
        });
    },
    idle: async () => {
      await working;
    },
  };
}
