import { writeAmount } from './amounts';
import { eventHost } from './events';
import { isoSeconds, isoWithOffset } from './identifiers';
import type { Account, Capture, Order, PurchaseUnit, Refund } from './state';

/** Returns the page where the payer approves an order. */
function approvalPage(address: string, order: Order): string {
  return `${address}/checkoutnow?token=${order.id}`;
}

/**
 * Renders an order for an API response.
 *
 * @param address the address at which the caller reached the simulator
 * @param full without it, only id, status and links
 */
export function orderObject(address: string, account: Account, order: Order, full: boolean): unknown {
  const self = `${address}/v2/checkout/orders/${order.id}`;
  const open = order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED';
  return {
    id: order.id,
    status: order.status,
    ...(full ? orderDetails(account, order) : {}),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      ...(open
        ? [
            {
              href: approvalPage(address, order),
              rel: order.hasPaymentSource ? 'payer-action' : 'approve',
              method: 'GET',
            },
          ]
        : []),
      ...(order.status === 'APPROVED' ? [{ href: `${self}/capture`, rel: 'capture', method: 'POST' }] : []),
    ],
  };
}

/** Renders an order for an event. */
export function orderResource(account: Account, order: Order): unknown {
  const self = `${eventHost(account)}/v2/checkout/orders/${order.id}`;
  return {
    id: order.id,
    status: order.status,
    ...orderDetails(account, order),
    links: [{ href: self, rel: 'self', method: 'GET' }],
  };
}

function orderDetails(account: Account, order: Order): object {
  return {
    intent: 'CAPTURE',
    ...(order.hasPaymentSource ? { payment_source: { paypal: {} } } : {}),
    purchase_units: order.units.map((unit) => ({
      ...unitObject(unit),
      payee: { merchant_id: account.merchantId },
      ...(order.captures.length === 0
        ? {}
        : { payments: { captures: order.captures.map((capture) => captureObject(account, capture)) } }),
    })),
    ...(order.payerId === null
      ? {}
      : { payer: { payer_id: order.payerId, email_address: 'payer@example.com' } }),
    create_time: isoSeconds(order.createdAt),
  };
}

function unitObject(unit: PurchaseUnit): object {
  return {
    reference_id: unit.referenceId,
    amount: writeAmount(unit.amount),
    ...(unit.customId === undefined ? {} : { custom_id: unit.customId }),
    ...(unit.invoiceId === undefined ? {} : { invoice_id: unit.invoiceId }),
    ...(unit.description === undefined ? {} : { description: unit.description }),
  };
}

/** Renders a capture; while it is pending, the amount that the merchant receives is unknown. */
export function captureObject(account: Account, capture: Capture): object {
  const { unit, fee } = capture;
  const { currency } = unit.amount;
  const host = eventHost(account);
  const self = `${host}/v2/payments/captures/${capture.id}`;
  return {
    id: capture.id,
    status: capture.status,
    amount: writeAmount(unit.amount),
    final_capture: true,
    seller_protection: { status: 'NOT_ELIGIBLE' },
    ...(capture.status === 'PENDING'
      ? { status_details: { reason: 'ECHECK' } }
      : {
          seller_receivable_breakdown: {
            gross_amount: writeAmount(unit.amount),
            paypal_fee: writeAmount({ minor: fee, currency }),
            net_amount: writeAmount({ minor: unit.amount.minor - fee, currency }),
          },
        }),
    ...(unit.customId === undefined ? {} : { custom_id: unit.customId }),
    ...(unit.invoiceId === undefined ? {} : { invoice_id: unit.invoiceId }),
    supplementary_data: { related_ids: { order_id: capture.orderId } },
    create_time: isoSeconds(capture.createdAt),
    update_time: isoSeconds(capture.updatedAt),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/refund`, rel: 'refund', method: 'POST' },
      { href: `${host}/v2/checkout/orders/${capture.orderId}`, rel: 'up', method: 'GET' },
    ],
  };
}

/** Renders a refund; its capture is in the `up` link, and in `related_ids` only if the account's switch is set. */
export function refundObject(account: Account, refund: Refund): object {
  const { capture, amount } = refund;
  const { currency } = amount;
  const host = eventHost(account);
  return {
    id: refund.id,
    amount: writeAmount(amount),
    seller_payable_breakdown: {
      gross_amount: writeAmount(amount),
      paypal_fee: writeAmount({ minor: 0n, currency }),
      net_amount: writeAmount(amount),
      total_refunded_amount: writeAmount({ minor: refund.totalRefunded, currency }),
    },
    ...(refund.customId === undefined ? {} : { custom_id: refund.customId }),
    ...(refund.invoiceId === undefined ? {} : { invoice_id: refund.invoiceId }),
    ...(refund.note === undefined ? {} : { note_to_payer: refund.note }),
    ...(account.switches.relatedCaptureId
      ? { supplementary_data: { related_ids: { capture_id: capture.id, order_id: capture.orderId } } }
      : {}),
    status: 'COMPLETED',
    create_time: isoWithOffset(refund.createdAt),
    update_time: isoWithOffset(refund.createdAt),
    links: [
      { href: `${host}/v2/payments/refunds/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${host}/v2/payments/captures/${capture.id}`, rel: 'up', method: 'GET' },
    ],
  };
}
