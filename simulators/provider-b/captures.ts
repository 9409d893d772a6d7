import type Router from '@koa/router';
import { namedCall } from '../core/named-call';
import { feeOf, writeAmount } from './amounts';
import { accountOf } from './authentication';
import { publish } from './events';
import { newId } from './identifiers';
import { captureObject, orderResource } from './order-objects';
import { answer, notFound, unprocessable } from './problem';
import { captureOfSale } from './sale-objects';
import { markCleared } from './ledger';
import type { Account, Capture, Instrument, Order, PurchaseUnit, Simulation } from './state';
import { DAY_MS } from '../../src/domain/instant';

/** Time until a cheque clears. */
const CLEARED_AFTER_MS: Readonly<Partial<Record<Instrument, number>>> = {
  echeck: 3 * DAY_MS,
  slow_echeck: 12 * DAY_MS,
};

const clearCheque = namedCall(
  'b.clear_cheque',
  (simulation: Simulation, account: Account, capture: Capture) => {
    capture.status = 'COMPLETED';
    capture.updatedAt = simulation.core.clock.now();
    markCleared(account, capture.id);
    tell(simulation, account, capture, 'COMPLETED');
  },
);

/** `GET /v2/payments/captures/{id}` */
export function captureRoutes(simulation: Simulation, router: Router): void {
  router.get('/v2/payments/captures/:id', (ctx) => {
    const account = accountOf(simulation, ctx);
    const id = ctx.params['id'] ?? '';
    const [capture, sale] = [account.captures.get(id), account.sales.get(id)];
    if (capture !== undefined) answer(ctx, 200, captureObject(account, capture));
    else if (sale !== undefined) answer(ctx, 200, captureOfSale(account, sale));
    else throw notFound();
  });
}

/**
 * Captures the money of an approved order.
 * @throws ProviderProblem ORDER_NOT_APPROVED, ORDER_ALREADY_CAPTURED, INSTRUMENT_DECLINED, DUPLICATE_INVOICE_ID
 */
export function captureOrder(simulation: Simulation, account: Account, order: Order): void {
  if (order.status === 'COMPLETED') {
    throw unprocessable('ORDER_ALREADY_CAPTURED', 'Order already captured.');
  }
  if (order.status !== 'APPROVED') {
    throw unprocessable('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.');
  }
  if (order.instrument === 'declined_card') {
    // The payer may go back and choose another instrument.
    order.status = order.hasPaymentSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED';
    throw unprocessable('INSTRUMENT_DECLINED', 'The instrument presented was declined by the processor.');
  }
  for (const { invoiceId } of order.units) {
    if (invoiceId !== undefined && isInvoiceUsed(account, invoiceId)) {
      throw unprocessable('DUPLICATE_INVOICE_ID', 'Duplicate Invoice ID detected.');
    }
  }
  order.status = 'COMPLETED';
  for (const unit of order.units) makeCapture(simulation, account, order, unit);
  publish(simulation, account, {
    type: 'CHECKOUT.ORDER.COMPLETED',
    resourceType: 'checkout-order',
    summary: 'Checkout Order Completed',
    resource: orderResource(account, order),
  });
}

function isInvoiceUsed(account: Account, invoiceId: string): boolean {
  return [...account.captures.values()].some((capture) => capture.unit.invoiceId === invoiceId);
}

function makeCapture(simulation: Simulation, account: Account, order: Order, unit: PurchaseUnit): void {
  const now = simulation.core.clock.now();
  const { [order.instrument]: clearedAfter = 0 } = CLEARED_AFTER_MS;
  const pending = clearedAfter > 0;
  const capture: Capture = {
    id: newId(),
    orderId: order.id,
    status: pending ? 'PENDING' : 'COMPLETED',
    unit,
    fee: feeOf(unit.amount),
    createdAt: now,
    updatedAt: now,
    refunded: 0n,
  };
  account.captures.set(capture.id, capture);
  order.captures.push(capture);
  // A line keeps the date on which its transaction began.
  account.ledger.push({
    id: capture.id,
    code: 'T0006',
    referenceId: capture.orderId,
    amount: unit.amount,
    fee: capture.fee,
    at: now,
    status: pending ? 'P' : 'S',
    customId: unit.customId,
    invoiceId: unit.invoiceId,
  });
  tell(simulation, account, capture, pending ? 'PENDING' : 'COMPLETED');
  if (pending) simulation.core.clock.at(now + clearedAfter, clearCheque(simulation, account, capture));
}

function tell(
  simulation: Simulation,
  account: Account,
  capture: Capture,
  state: 'PENDING' | 'COMPLETED',
): void {
  const { value, currency_code: currency } = writeAmount(capture.unit.amount);
  publish(simulation, account, {
    type: `PAYMENT.CAPTURE.${state}`,
    resourceType: 'capture',
    summary: `Payment ${state.toLowerCase()} for ${value} ${currency}`,
    resource: captureObject(account, capture),
  });
}
