import { workspaceTime } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { findOperation } from '../operations/operation-store';
import { operationIdOf } from '../operations/target-ids';
import { enqueueRefundSignal } from '../outbox/enqueue-signal';
import type { WorkspaceScope } from '../tenancy/actor';
import { recordRefundEvent } from './refund-event';
import { findRefund, saveRefund, type RefundRow } from './refund-store';
import { QUIET_MS } from './request-refund';
import { UNCONFIRMED } from './refund-outcome';

/**
 * Corrects a refund that had the reference that another refund's answer has claimed.
 *
 * - One requested here that counted as made is reopened: nothing shows that the provider ever received it. It is
 *   requested again under its own key.
 * - One recorded as made at the provider is the claimant itself, whose request a restored database had lost. It ends as
 *   failed, so that its amount is not counted twice, and is never requested.
 * - The loss of a dispute stays: the dispute itself was reported, and its refund is yet to be.
 *
 * @param claimantId the refund that has the reference now
 * @param recordedAt real time
 */
export async function reopenRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { refundId, claimantId }: { refundId: string; claimantId: string },
  recordedAt: Instant,
): Promise<void> {
  const taken = await findRefund(trx, scope, refundId, 'lock');
  if (taken === undefined || taken.reference !== null || taken.provider === 'internal') return;
  if (taken.kind === 'dispute') return;
  const operation = await findOperation(trx, scope, operationIdOf(refundId));
  const happenedAt = await workspaceTime(trx, scope, recordedAt);
  const times = { happenedAt, recordedAt };
  if (operation === undefined) {
    if (taken.status === 'failed') return;
    const failure = `The payment provider has confirmed that this is the refund ${claimantId}.`;
    const same: RefundRow = {
      ...taken,
      status: 'failed',
      failure,
      completedAt: happenedAt,
      nextWakeAt: null,
    };
    await saveRefund(trx, scope, same);
    await recordRefundEvent(trx, scope, same, 'SYSTEM', times);
    return;
  }
  if (taken.status !== 'succeeded') return;
  const nextWakeAt = recordedAt + QUIET_MS[taken.provider];
  const open: RefundRow = {
    ...taken,
    status: 'pending',
    failure: UNCONFIRMED,
    completedAt: null,
    nextWakeAt,
  };
  await saveRefund(trx, scope, open);
  await recordRefundEvent(trx, scope, open, operation.reason, times);
  await enqueueRefundSignal(trx, scope, refundId);
}
