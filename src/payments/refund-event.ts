import type { DbTransaction } from '../db/pools';
import type { EventStatus } from '../domain/event-types';
import { displayMoney } from '../domain/display-text';
import { isRefundNeed, type RefundStatus } from '../domain/refund';
import { SOURCES } from '../subscriptions/record-command-effect';
import { recordBillingEvent, type EventTimes } from '../subscriptions/subscription-history-store';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';
import type { RefundRow } from './refund-store';

const EVENT_STATUS: Record<RefundStatus, EventStatus> = {
  succeeded: 'OK',
  pending: 'PENDING',
  failed: 'ERROR',
};

/**
 * Records a refund's status in the developer events, and in its subscription's history if it has one.
 *
 * @param options.announce false if integrators already know this status
 */
export async function recordRefundEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refund: RefundRow,
  reason: TransactionReason,
  times: EventTimes,
  { announce = true }: { announce?: boolean } = {},
): Promise<void> {
  const entry = {
    subscriptionId: refund.subscriptionId,
    kind: `refund_${refund.status}`,
    type: 'REFUND_RECORDED',
    status: isRefundNeed(refund.failure) ? 'ERROR' : EVENT_STATUS[refund.status],
    message: messageOf(refund),
    source: SOURCES[reason],
    data: {
      refundId: refund.id,
      paymentId: refund.paymentId,
      refundKind: refund.kind,
      refundStatus: refund.status,
      customerId: refund.customerId,
      externalId: refund.externalId,
      currency: refund.currency,
      amount: refund.amount.toString(),
    },
    ...(!announce && { announcedAs: null }),
  } as const;
  await recordBillingEvent(trx, scope, entry, times);
}

function messageOf({ kind, status, amount, currency, externalId, paymentId, failure }: RefundRow): string {
  const what = `${displayMoney({ amount, currency })} of ${paymentId}`;
  if (kind === 'dispute') {
    return status === 'failed'
      ? `The loss of ${what} in a dispute by ${externalId} no longer counts. ${failure ?? ''}`.trim()
      : `A dispute by ${externalId} took ${what}.`;
  }
  switch (status) {
    case 'succeeded':
      return `${externalId} was refunded ${what}.`;
    case 'pending':
      return `The refund of ${what} to ${externalId} is pending. ${failure ?? ''}`.trim();
    case 'failed':
      return `The refund of ${what} to ${externalId} failed: ${failure ?? 'no reason was given'}`;
  }
}
