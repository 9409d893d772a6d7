import type { Clock } from '../clock/clock';
import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Database, Transaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { nextWake } from '../domain/lifecycle';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import type { WorkspaceScope } from '../tenancy/scope';
import { findCheckout } from './checkout-store';
import { expireCheckout } from './expire-checkout';

/** What a checkout's workflow waits by. */
interface CheckoutState {
  /** Whether it still waits for its payment. */
  open: boolean;
  expiresAt: Instant;
  /** How far the workspace's time is ahead of real time, in milliseconds. */
  clockOffset: number;
}

/** What time does to checkouts of local billing. */
export interface CheckoutClockwork {
  /** Undefined when there is no such checkout, or a payment provider keeps its time. */
  read(scope: WorkspaceScope, checkoutId: string): Promise<CheckoutState | undefined>;
  /**
   * Expires the checkout if it is still unpaid at its deadline, in one transaction with its subscription and its
   * event; done once, however often it is asked for.
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
      inWorkspace(database, scope, 'SYSTEM', (trx) => readState(trx, scope, checkoutId)),

    expire: (scope, checkoutId, at) =>
      inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const checkout = await findCheckout(trx, scope, checkoutId);
        if (checkout?.provider !== 'internal') return undefined;
        const subscription = await findBilledSubscription(trx, scope, checkout.subscriptionId, 'lock');
        // A payment that held the row until now has opened it; then nothing is due any more.
        const wake = subscription === undefined ? undefined : nextWake(subscription, at);
        if (subscription !== undefined && wake?.kind === 'due' && wake.step === 'expire_checkout') {
          await expireCheckout(trx, scope, subscription, {
            why: 'deadline',
            at: wake.boundary,
            recordedAt: clock.now(),
            source: 'billing',
          });
        }
        return readState(trx, scope, checkoutId);
      }),
  };
}

async function readState(
  trx: Transaction,
  scope: WorkspaceScope,
  checkoutId: string,
): Promise<CheckoutState | undefined> {
  const checkout = await findCheckout(trx, scope, checkoutId);
  if (checkout?.provider !== 'internal') return undefined;
  const { status, expiresAt } = checkout;
  return { open: status === 'open', expiresAt, clockOffset: await readClockOffset(trx, scope) };
}
