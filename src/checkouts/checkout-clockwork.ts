import type { Clock } from '../clock/clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';
import { readCheckoutState, type CheckoutState } from './checkout-state';
import { endCheckout, lockCheckout } from './end-checkout';

/** What time alone does to checkouts. */
export interface CheckoutClockwork {
  /** Undefined when there is no such checkout. */
  read(scope: WorkspaceScope, checkoutId: string): Promise<CheckoutState | undefined>;
  /**
   * Expires a checkout of local billing if it is still unpaid at its deadline, in one transaction with its subscription
   * and its event; done once, however often it is asked for. One at a payment provider stays as it is: the provider is
   * asked first (`ProviderCheckouts`).
   *
   * @param at the workspace's time that it is judged at
   * @returns the checkout as it is afterwards
   */
  expire(scope: WorkspaceScope, checkoutId: string, at: Instant): Promise<CheckoutState | undefined>;
}

export function createCheckoutClockwork(options: { database: Database; clock: Clock }): CheckoutClockwork {
  const { database, clock } = options;
  return {
    read: (scope, checkoutId) =>
      inWorkspace(database, scope, 'SYSTEM', (trx) => readCheckoutState(trx, scope, checkoutId)),

    expire: (scope, checkoutId, at) =>
      inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const row = await lockCheckout(trx, scope, checkoutId);
        // A payment that held the row until now has closed it; then nothing is due any more.
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
