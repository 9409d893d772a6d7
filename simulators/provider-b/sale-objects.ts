import { writeAmount } from './amounts';
import { eventHost } from './events';
import { isoSeconds } from './identifiers';
import type { Account, Sale, SaleRefund } from './state';

/** Returns the status that version 2 of the API gives a subscription's payment. */
export function statusOfSale({ state, refunded, amount: { minor } }: Sale): string {
  if (state !== undefined) return state === 'pending' ? 'PENDING' : 'DECLINED';
  return refunded === 0n ? 'COMPLETED' : refunded === minor ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
}

/** Renders a subscription's payment as version 2 of the API does: as a capture that belongs to no order. */
export function captureOfSale(account: Account, sale: Sale): object {
  const { id, amount, fee, createdAt } = sale;
  const { currency, minor } = amount;
  const self = `${eventHost(account)}/v2/payments/captures/${id}`;
  return {
    id,
    status: statusOfSale(sale),
    amount: writeAmount(amount),
    final_capture: true,
    seller_protection: { status: 'ELIGIBLE' },
    seller_receivable_breakdown: {
      gross_amount: writeAmount(amount),
      paypal_fee: writeAmount({ minor: fee, currency }),
      net_amount: writeAmount({ minor: minor - fee, currency }),
    },
    create_time: isoSeconds(createdAt),
    update_time: isoSeconds(createdAt),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/refund`, rel: 'refund', method: 'POST' },
    ],
  };
}

/** Renders the refund of a subscription's payment as version 2 of the API does. */
export function refundOfSale(account: Account, refund: SaleRefund): object {
  const { id, sale, amount, totalRefunded, invoiceId, createdAt } = refund;
  const { currency } = amount;
  const host = `${eventHost(account)}/v2/payments`;
  return {
    id,
    amount: writeAmount(amount),
    seller_payable_breakdown: {
      gross_amount: writeAmount(amount),
      paypal_fee: writeAmount({ minor: 0n, currency }),
      net_amount: writeAmount(amount),
      total_refunded_amount: writeAmount({ minor: totalRefunded, currency }),
    },
    ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
    status: 'COMPLETED',
    create_time: isoSeconds(createdAt),
    update_time: isoSeconds(createdAt),
    links: [
      { href: `${host}/refunds/${id}`, rel: 'self', method: 'GET' },
      { href: `${host}/captures/${sale.id}`, rel: 'up', method: 'GET' },
    ],
  };
}
