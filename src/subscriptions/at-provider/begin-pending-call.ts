import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type { PendingCall } from '../../domain/provider-work';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { saveBilledSubscription } from '../save-subscription-store';

/** A pending call that is about to be sent, and the subscription as it was read before that. */
export interface BegunCall {
  call: PendingCall;
  seen: BilledSubscription;
  /** Whether an earlier attempt may have sent it. */
  wasSent: boolean;
}

/**
 * Records that a subscription's pending call is about to be sent, so that it counts as possibly sent to every later
 * attempt. Temporal counts the attempts only within one run of the workflow, which may be terminated or lost.
 *
 * @param at the workspace's time
 * @returns null if no call is pending
 */
export async function beginPendingCall(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  at: Instant,
): Promise<BegunCall | null> {
  const row = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
  const call = row?.work.unsettled ?? null;
  if (row === undefined || call === null) return null;
  if (call.sent === true) return { call, seen: row, wasSent: true };
  const sent = { ...call, sent: true };
  const work = { ...row.work, unsettled: sent };
  const seen = await saveBilledSubscription(trx, scope, { ...row, work }, at);
  return { call: sent, seen, wasSent: false };
}
