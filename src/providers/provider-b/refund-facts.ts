import type { z } from 'zod';
import type { RefundFacts } from '../canonical-event';
import { ourRefundId } from '../our-refund-id';
import type { refundObject, saleRefundObject } from './schemas';

type Refund = z.infer<typeof refundObject>;

type SaleRefund = z.infer<typeof saleRefundObject>;

const REFUND_STATUS = {
  COMPLETED: 'succeeded',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'failed',
} as const;

export function refundFacts(refund: Refund, capture: string): RefundFacts {
  return {
    reference: refund.id,
    of: { kind: 'capture', reference: capture },
    ...refund.amount,
    status: REFUND_STATUS[refund.status],
    totalRefunded: refund.seller_payable_breakdown?.total_refunded_amount?.amount ?? null,
    ...madeAt(refund),
    ...ourRefundId(refund.invoice_id),
    ...ourRefundId(refund.custom_id),
  };
}

const SALE_REFUND_STATUS = {
  completed: 'succeeded',
  pending: 'pending',
  failed: 'failed',
  cancelled: 'failed',
} as const;

export function saleRefundFacts(refund: SaleRefund): RefundFacts {
  return {
    reference: refund.id,
    of: { kind: 'payment', reference: refund.sale_id },
    ...refund.amount,
    status: SALE_REFUND_STATUS[refund.state],
    totalRefunded: refund.total_refunded_amount?.amount ?? null,
    ...madeAt(refund),
    ...ourRefundId(refund.invoice_number),
  };
}

function madeAt({ create_time: createdAt }: Pick<Refund, 'create_time'>): Pick<RefundFacts, 'createdAt'> {
  return createdAt === undefined || createdAt === null ? {} : { createdAt };
}
