import { readClockOffset } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';
import { findCheckout, type CheckoutRow } from './checkout-store';

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
  const clockOffset = await readClockOffset(trx, scope);
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
