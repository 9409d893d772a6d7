import type { Clock } from '../clock/system-clock';
import { holdClockOffset } from '../clock/sandbox-clock-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { findCheckout, type CheckoutRow } from './checkout-store';
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

/** What a checkout's workflow waits by. */
export interface CheckoutState {
  /** Whether it still waits for its payment. */
  open: boolean;
  expiresAt: Instant;
  /** How far the workspace's time is ahead of real time, in milliseconds. */
  clockOffset: number;
  /**
   * What is to be done at the payment provider, and when (the workspace's time); null when nothing is any more. Left
   * out in local billing, which waits for the deadline alone.
   */
  atProvider?: { task: 'create' | 'sync'; at: Instant } | null;
}

/** Undefined when there is no such checkout. */
export async function readCheckoutState(
  trx: DbTransaction,
  scope: WorkspaceScope,
  checkoutId: string,
): Promise<CheckoutState | undefined> {
  const row = await findCheckout(trx, scope, checkoutId);
  if (row === undefined) return undefined;
  const { status, expiresAt, provider } = row;
  const clockOffset = await holdClockOffset(trx, scope);
  const state = { open: status === 'open', expiresAt, clockOffset };
  return provider === 'internal' ? state : { ...state, atProvider: atProviderOf(row) };
}

/** One that has ended here is still to be ended at the provider for as long as it wakes. */
function atProviderOf({
  status,
  reference,
  expiresAt,
  nextWakeAt,
  givenUpAt,
}: CheckoutRow): NonNullable<CheckoutState['atProvider']> | null {
  if (status !== 'open') return nextWakeAt === null ? null : { task: 'sync', at: nextWakeAt };
  const at = nextWakeAt ?? expiresAt;
  // What was given up before it was made is not made any more.
  return { task: reference === null && givenUpAt === null ? 'create' : 'sync', at };
}
