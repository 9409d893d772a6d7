import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { cancelPending } from '../webhook-endpoints/delivery-store';
import type { FoundEndpoint } from './due-store';
import { lockHealth } from './result-store';

/** Cancels what disabled endpoints have not got, beside what is being sent. */
export interface Canceller {
  /** Begins with these, unless it is still at others: they are found again. */
  begin(disabled: readonly FoundEndpoint[]): void;
  /** Resolves once it does nothing. */
  idle(): Promise<void>;
}

/** Deliveries of an endpoint that are cancelled in one transaction; what is left is found again. */
const CANCELLED = 1_000;

/** One endpoint after the other, so that however many there are take one connection. */
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
  const cancel = async (disabled: readonly FoundEndpoint[]): Promise<void> => {
    for (const { workspaceId, environment, endpointId } of disabled) {
      const scope = { workspaceId, environment };
      const some = { atMost: CANCELLED, now: clock.now() };
      await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        // It may have been enabled since it was found: then what it has pending is new, or was asked for again.
        const [endpoint] = await lockHealth(trx, scope, [endpointId]);
        if (endpoint === undefined || endpoint.disabledAt === null) return;
        await cancelPending(trx, scope, endpointId, some);
      });
    }
  };
  return {
    begin: (disabled) => {
      if (disabled.length === 0) return;
      working ??= cancel(disabled)
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
