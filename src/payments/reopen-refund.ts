import { readClockOffset } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { findOperation } from '../operations/operation-store';
import { operationIdOf } from '../operations/target-ids';
import { enqueueRefundSignal } from '../outbox/enqueue-signal';
import type { WorkspaceScope } from '../tenancy/actor';
import { NOT_SAID } from './complete-refund';
import { recordRefundEvent } from './refund-event';
import { findRefund, saveRefund, type RefundRow } from './refund-store';
import { QUIET_MS } from './request-refund';

/**
 * Reopens a refund that counted as made under a reference that another refund's answer has claimed: nothing shows that
 * the provider ever received it. It is requested again under its own key. A refund made at the provider is never
 * requested.
 *
 * @param recordedAt real time
 */
export async function reopenRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
  recordedAt: Instant,
): Promise<void> {
  const taken = await findRefund(trx, scope, refundId, 'lock');
  if (taken?.status !== 'succeeded' || taken.reference !== null || taken.provider === 'internal') return;
  const operation = await findOperation(trx, scope, operationIdOf(refundId));
  if (operation === undefined) return;
  const nextWakeAt = recordedAt + QUIET_MS[taken.provider];
  const open: RefundRow = { ...taken, status: 'pending', failure: NOT_SAID, completedAt: null, nextWakeAt };
  await saveRefund(trx, scope, open);
  const happenedAt = recordedAt + (await readClockOffset(trx, scope));
  await recordRefundEvent(trx, scope, open, operation.reason, { happenedAt, recordedAt });
  await enqueueRefundSignal(trx, scope, refundId);
}
