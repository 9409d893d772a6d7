import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type { PendingCall } from '../../domain/provider-work';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { saveBilledSubscription } from '../save-subscription-store';

/** A pending call, and the subscription as it was read with it. */
export interface ReadCall {
  call: PendingCall;
  seen: BilledSubscription;
}

/** A pending call that is about to be sent, and the subscription as it was read before that. */
export interface BegunCall extends ReadCall {
  /** Whether an earlier attempt may have sent it. */
  wasSent: boolean;
}

/** Returns a subscription's pending call; null if there is none. */
export async function readPendingCall(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
): Promise<ReadCall | null> {
  const seen = await findBilledSubscription(trx, scope, subscriptionId, 'read');
  const call = seen?.work.unsettled ?? null;
  return seen === undefined || call === null ? null : { call, seen };
}

/**
 * Records that a subscription's pending call is about to be sent, so that it counts as possibly sent to every later
 * attempt. Temporal counts the attempts only within one run of the workflow, which may be terminated or lost.
 *
 * @param key of the pending call
 * @param at the workspace's time
 * @returns null if that call is no longer pending
 */
export async function beginPendingCall(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  { key, at }: { key: string; at: Instant },
): Promise<BegunCall | null> {
  const row = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
  const call = row?.work.unsettled;
  if (row === undefined || call?.key !== key) return null;
  if (call.sent === true) return { call, seen: row, wasSent: true };
  const sent = { ...call, sent: true };
  const work = { ...row.work, unsettled: sent };
  const seen = await saveBilledSubscription(trx, scope, { ...row, work }, at);
  return { call: sent, seen, wasSent: false };
}
