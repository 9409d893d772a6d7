import type { Clock } from '../clock/clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';
import { readCheckoutState, type CheckoutState } from './checkout-state';
import { endCheckout, lockCheckout } from './end-checkout';

/** The timers of a checkout's workflow. */
export interface CheckoutTimers {
  /** Undefined when there is no such checkout. */
  read(scope: WorkspaceScope, checkoutId: string): Promise<CheckoutState | undefined>;
  /**
   * Expires a checkout of local billing that is unpaid at its deadline, with its subscription and event in one
   * transaction. Idempotent. A checkout at a payment provider is left alone: it is polled first (`ProviderCheckouts`).
   *
   * @param at the workspace's time
   * @returns the state afterwards
   */
  expire(scope: WorkspaceScope, checkoutId: string, at: Instant): Promise<CheckoutState | undefined>;
}

export function createCheckoutTimers(options: { database: Database; clock: Clock }): CheckoutTimers {
  const { database, clock } = options;
  return {
    read: (scope, checkoutId) =>
      inWorkspace(database, scope, 'SYSTEM', (trx) => readCheckoutState(trx, scope, checkoutId)),

    expire: (scope, checkoutId, at) =>
      inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const row = await lockCheckout(trx, scope, checkoutId);
        // A payment that held the row's lock may have closed it.
        if (row?.provider === 'internal' && row.status === 'open' && row.expiresAt <= at) {
          const recordedAt = clock.now();
          await endCheckout(trx, scope, row, {
            why: 'deadline',
            at: row.expiresAt,
            recordedAt,
            source: 'billing',
          });
        }
        return readCheckoutState(trx, scope, checkoutId);
      }),
  };
}
