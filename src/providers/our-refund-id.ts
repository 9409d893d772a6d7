import type { RefundFacts } from './canonical-event';

const OUR_REFUND_ID = /^ref_[0-9a-z]{26}$/;

/**
 * Reads our id of a refund from the field in which we send it. The field may hold anything else: the dashboard's users
 * write there too, and provider B copies a capture's into its refunds.
 */
export function ourRefundId(value: unknown): Pick<RefundFacts, 'refundId'> {
  return typeof value === 'string' && OUR_REFUND_ID.test(value) ? { refundId: value } : {};
}
