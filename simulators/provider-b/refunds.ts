import type Router from '@koa/router';
import { z } from 'zod';
import { namedCall } from '../core/named-call';
import { readAmount, writeAmount, type Amount } from './amounts';
import { accountOf } from './authentication';
import { publish } from './events';
import { newId } from './identifiers';
import { markReversed } from './ledger';
import { refundObject } from './order-objects';
import { answer, notFound, unprocessable } from './problem';
import { onceForRequestId, readRequest, REQUEST_ID_LIVES, wantsRepresentation } from './requests';
import { refundOfSale } from './sale-objects';
import type { Account, Capture, Refund, Simulation } from './state';
import { DAY_MS } from '../../src/domain/instant';

const refundRequest = z.strictObject({
  amount: z.strictObject({ value: z.string().max(32), currency_code: z.string().length(3) }).optional(),
  custom_id: z.string().min(1).max(127).optional(),
  invoice_id: z.string().min(1).max(127).optional(),
  note_to_payer: z.string().min(1).max(255).optional(),
});

const renderRefund = namedCall('b.refund', (account: Account, refund: Refund, full: boolean) =>
  full ? refundObject(account, refund) : shortRefund(account, refund),
);

const REFUNDABLE_MS = 180 * DAY_MS;

/** `POST /v2/payments/captures/{id}/refund` and `GET /v2/payments/refunds/{id}`. */
export function refundRoutes(simulation: Simulation, router: Router): void {
  router.post('/v2/payments/captures/:id/refund', async (ctx) => {
    const account = accountOf(simulation, ctx);
    const { body, raw } = await readRequest(ctx, refundRequest, {});
    const capture = account.captures.get(ctx.params['id'] ?? '');
    if (capture === undefined) throw notFound();
    const full = wantsRepresentation(ctx);
    const { status, body: made } = onceForRequestId(
      simulation,
      account,
      ctx,
      { raw, life: REQUEST_ID_LIVES.refund },
      () => {
        const refund = makeRefund(simulation, account, capture, body);
        return renderRefund(account, refund, full);
      },
    );
    answer(ctx, status, made);
  });

  router.get('/v2/payments/refunds/:id', (ctx) => {
    const account = accountOf(simulation, ctx);
    const id = ctx.params['id'] ?? '';
    const [refund, ofSale] = [account.refunds.get(id), account.saleRefunds.get(id)];
    if (refund !== undefined) answer(ctx, 200, refundObject(account, refund));
    else if (ofSale !== undefined) answer(ctx, 200, refundOfSale(account, ofSale));
    else throw notFound();
  });
}

function shortRefund(account: Account, refund: Refund): unknown {
  const { links } = refundObject(account, refund) as { links: unknown };
  return { id: refund.id, status: 'COMPLETED', links };
}

function makeRefund(
  simulation: Simulation,
  account: Account,
  capture: Capture,
  request: z.infer<typeof refundRequest>,
): Refund {
  const now = simulation.core.clock.now();
  const left = capture.unit.amount.minor - capture.refunded;
  const amount =
    request.amount === undefined ? { ...capture.unit.amount, minor: left } : readAmount(request.amount);
  assertRefundable(capture, amount, left, now);
  if (request.invoice_id !== undefined && isInvoiceUsed(account, request.invoice_id)) {
    throw unprocessable('DUPLICATE_INVOICE_ID', 'Duplicate Invoice ID detected.');
  }
  capture.refunded += amount.minor;
  capture.status = capture.refunded === capture.unit.amount.minor ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  capture.updatedAt = now;
  const refund: Refund = {
    id: newId(),
    capture,
    amount,
    totalRefunded: capture.refunded,
    createdAt: now,
    customId: request.custom_id ?? capture.unit.customId,
    invoiceId: request.invoice_id,
    note: request.note_to_payer,
  };
  record(simulation, account, refund);
  return refund;
}

/** @throws ProviderProblem PENDING_CAPTURE, CAPTURE_FULLY_REFUNDED, REFUND_AMOUNT_EXCEEDED … */
function assertRefundable(capture: Capture, amount: Amount, left: bigint, now: number): void {
  if (capture.status === 'PENDING') {
    throw unprocessable('PENDING_CAPTURE', 'Cannot initiate a refund as the capture is pending.');
  }
  if (left === 0n)
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.');
  if (amount.currency !== capture.unit.amount.currency) {
    throw unprocessable('CURRENCY_MISMATCH', 'The currency of the refund differs from that of the capture.');
  }
  if (amount.minor > left) {
    throw unprocessable(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
    );
  }
  if (capture.createdAt + REFUNDABLE_MS < now) {
    throw unprocessable(
      'REFUND_TIME_LIMIT_EXCEEDED',
      'You are over the time limit to perform a refund on this capture.',
    );
  }
}

function isInvoiceUsed(account: Account, invoiceId: string): boolean {
  return [...account.refunds.values()].some((refund) => refund.invoiceId === invoiceId);
}

function record(simulation: Simulation, account: Account, refund: Refund): void {
  const { amount, capture } = refund;
  account.refunds.set(refund.id, refund);
  if (capture.status === 'REFUNDED') markReversed(account, capture.id);
  account.ledger.push({
    id: refund.id,
    code: 'T1107',
    referenceId: capture.id,
    amount: { ...amount, minor: -amount.minor },
    fee: 0n,
    at: refund.createdAt,
    status: 'S',
    customId: refund.customId,
    invoiceId: refund.invoiceId,
  });
  const { value, currency_code: currency } = writeAmount(amount);
  publish(simulation, account, {
    type: 'PAYMENT.CAPTURE.REFUNDED',
    resourceType: 'refund',
    summary: `A ${value} ${currency} capture payment was refunded`,
    resource: refundObject(account, refund),
  });
}
