import type { Clock } from '../clock/system-clock';
import { holdClockOffset } from '../clock/sandbox-clock-store';
import { together } from '../db/calls';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { acceptedBeforeCall } from '../operations/run-operation-store';
import {
  takeAfterAccepted,
  type AcceptedCommands,
  type StepAttempt,
} from '../subscriptions/accepted-commands';
import type { WorkspaceScope } from '../tenancy/actor';
import { findCheckout, type CheckoutRow } from './checkout-store';
import { endCheckout, lockCheckout } from './end-checkout';

/** The timers of a checkout's workflow. */
export interface CheckoutTimers {
  /** Reads the state; undefined if there is no such checkout. */
  read(scope: WorkspaceScope, checkoutId: string): Promise<CheckoutState | undefined>;
  /**
   * Expires a local-billing checkout that is unpaid at its deadline, with its subscription and event in one
   * transaction. Accepted commands on its subscription that were submitted before the deadline are run first: a payment
   * may be among them. Idempotent. A checkout at a payment provider is not touched, because it is polled first
   * (`ProviderCheckouts`).
   *
   * @param at the workspace's time
   * @returns the state afterwards
   */
  expire(scope: WorkspaceScope, checkoutId: string, at: Instant): Promise<CheckoutState | undefined>;
}

export function createCheckoutTimers(options: {
  database: Database;
  clock: Clock;
  commands: AcceptedCommands;
}): CheckoutTimers {
  const { database, clock, commands } = options;
  /** @param passed whether the commands before the deadline have run */
  const attempt = (
    scope: WorkspaceScope,
    checkoutId: string,
    at: Instant,
    passed: boolean,
  ): Promise<StepAttempt<CheckoutState | undefined>> =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      const row = await lockCheckout(trx, scope, checkoutId);
      // A payment that held the row's lock may have completed it.
      if (row?.provider === 'internal' && row.status === 'open' && row.expiresAt <= at) {
        const behind = passed ? [] : await acceptedBefore(trx, scope, row);
        if (behind.length > 0) return { behind };
        const expiry = { why: 'deadline', at: row.expiresAt, recordedAt: clock.now() } as const;
        await endCheckout(trx, scope, row, { ...expiry, source: 'billing' });
      }
      return { state: await readCheckoutState(trx, scope, checkoutId) };
    });
  return {
    read: (scope, checkoutId) =>
      inWorkspace(database, scope, 'SYSTEM', (trx) => readCheckoutState(trx, scope, checkoutId)),

    expire: (scope, checkoutId, at) =>
      takeAfterAccepted(commands, scope, at, (passed) => attempt(scope, checkoutId, at, passed)),
  };
}

async function acceptedBefore(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { subscriptionId, expiresAt }: CheckoutRow,
): Promise<readonly string[]> {
  if (subscriptionId === null) return [];
  const [accepted] = await together(trx, [acceptedBeforeCall(scope, subscriptionId, expiresAt)]);
  return accepted;
}

/** The state that a checkout's workflow waits on. */
export interface CheckoutState {
  /** Whether it still waits for its payment. */
  open: boolean;
  expiresAt: Instant;
  /** How far the workspace's time is ahead of real time, in milliseconds. */
  clockOffset: number;
  /**
   * The next task at the payment provider, and when (the workspace's time); null if none remains. Omitted in local
   * billing, which only waits for the deadline.
   */
  atProvider?: { task: 'create' | 'sync'; at: Instant } | null;
}

/** Reads the state; undefined if there is no such checkout. */
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

/** Returns the next task. A checkout with a wake-up time that has ended here still has to be ended at the provider. */
function atProviderOf({
  status,
  reference,
  expiresAt,
  nextWakeAt,
  givenUpAt,
}: CheckoutRow): NonNullable<CheckoutState['atProvider']> | null {
  if (status !== 'open') return nextWakeAt === null ? null : { task: 'sync', at: nextWakeAt };
  const at = nextWakeAt ?? expiresAt;
  // A checkout given up before it was created is no longer created.
  return { task: reference === null && givenUpAt === null ? 'create' : 'sync', at };
}
