import { recordAudit } from '../audit/audit-store';
import { workspaceTime } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import { setContext } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { refundAmount } from '../domain/refund';
import { findStoredAnswer } from '../idempotency/idempotency-store';
import { claimOf, findOperation } from '../operations/operation-store';
import { operationNotFound } from '../operations/read-operation';
import { requireStillOpen } from '../subscriptions/commands/run-operation';
import type { WorkspaceScope } from '../tenancy/actor';
import { requirePayment } from './payment-refusals';
import { findPayment } from './payment-store';
import { findRefund, insertRefund, type RefundRow } from './refund-store';
import { requireRefundable } from './refundable-reference';
import { requestedRefund } from './refund-service';
import { actorOf } from '../subscriptions/operation-context';

/** Time (milliseconds) after which the sweep picks up a reserved refund that has not ended. */
const LOOKED_AFTER_MS = 60_000;

/**
 * Reserves the refund that an operation asks for, once, in the open transaction.
 *
 * @param recordedAt real time
 * @returns the refund in its current state; an existing reservation is not repeated
 * @throws TollgateError operation_not_found, payment_not_found, payment_not_refundable, payment_currency_differs,
 *   refund_exceeds_payment, connection_not_found, connection_disabled, provider_refused, idempotency_key_reused
 * @throws OperationAbandonedError when it was abandoned before
 */
export async function reserveRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { refundId, operationId }: { refundId: string; operationId: string },
  recordedAt: Instant,
): Promise<RefundRow> {
  const operation = await findOperation(trx, scope, operationId);
  if (operation?.kind !== 'refund') throw operationNotFound(operationId);
  const paymentId = operation.targetId;
  const payment = requirePayment(await findPayment(trx, scope, paymentId, 'lock'), paymentId);
  const reserved = await findRefund(trx, scope, refundId, 'read');
  const requested = requestedRefund(operation.input);
  if (reserved !== undefined) {
    if (reserved.status !== 'failed' || operation.status === 'succeeded') return reserved;
    // The provider refused the refund, and the key is sent again; more may be known now about the refundable amount.
    refundAmount(payment, requested.amount);
    throw new TollgateError('refund_exceeds_payment', reserved.failure ?? 'The payment provider refused it.');
  }
  // Another request may have taken the key in the meantime; check before money moves.
  await findStoredAnswer(trx, scope, claimOf(operation));
  await setContext(trx, scope.workspaceId, scope.environment, operation.reason);
  const amount = refundAmount(payment, requested.amount);
  await requireRefundable(trx, scope, payment);
  await requireStillOpen(trx, scope, operationId);
  const now = await workspaceTime(trx, scope, recordedAt);
  const { currency } = payment;
  await insertRefund(trx, scope, {
    id: refundId,
    paymentId,
    currency,
    amount,
    reason: requested.reason,
    requestedAt: now,
    nextWakeAt: recordedAt + LOOKED_AFTER_MS,
  });
  const actor = actorOf(operation, scope, { now, recordedAt });
  await recordAudit(trx, actor, {
    action: 'refund.requested',
    target: refundId,
    detail: { paymentId, amount: amount.toString(), currency, reason: requested.reason },
  });
  const row = await findRefund(trx, scope, refundId, 'read');
  if (row === undefined) throw new Error('A refund that was just written is missing.');
  return row;
}
