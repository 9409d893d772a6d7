import type Router from '@koa/router';
import { z } from 'zod';
import { namedCall } from '../core/named-call';
import { readAmount, shortText, writeVersion1, type Amount } from './amounts';
import { accountOf } from './authentication';
import { eventHost, publish } from './events';
import { isoSeconds, newId } from './identifiers';
import { markReversed } from './ledger';
import { answer, notFound, ProviderProblem, unprocessable } from './problem';
import { onceForRequestId, readRequest, REQUEST_ID_LIVES } from './requests';
import type { Account, Sale, SaleRefund, Simulation } from './state';
import { saleObject } from './subscription-objects';

const refundRequest = z.strictObject({
  amount: z.strictObject({ total: z.string().max(32), currency: z.string().length(3) }).optional(),
  description: z.string().max(255).optional(),
  invoice_number: z.string().max(127).optional(),
});

const renderRefund = namedCall('b.sale_refund', (account: Account, refund: SaleRefund) =>
  saleRefundObject(account, refund, refund.amount.minor),
);

/** `/v1/payments/sale/{id}`, its refund, and `/v1/payments/refund/{id}`: the payments of subscriptions. */
export function saleRoutes(simulation: Simulation, router: Router): void {
  router.get('/v1/payments/sale/:id', (ctx) => {
    const account = accountOf(simulation, ctx);
    answer(ctx, 200, saleObject(account, find(account.sales, ctx.params['id'])));
  });
  router.get('/v1/payments/refund/:id', (ctx) => {
    const account = accountOf(simulation, ctx);
    const refund = find(account.saleRefunds, ctx.params['id']);
    answer(ctx, 200, saleRefundObject(account, refund, refund.amount.minor));
  });
  router.post('/v1/payments/sale/:id/refund', async (ctx) => {
    const account = accountOf(simulation, ctx);
    const { body, raw } = await readRequest(ctx, refundRequest, {});
    const sale = find(account.sales, ctx.params['id']);
    const life = REQUEST_ID_LIVES.refund;
    const made = onceForRequestId(simulation, account, ctx, { raw, life }, () => {
      const refund = refundSale(simulation, account, sale, body);
      return renderRefund(account, refund);
    });
    answer(ctx, made.status, made.body);
  });
}

function find<T>(all: ReadonlyMap<string, T>, id: string | undefined): T {
  const found = all.get(id ?? '');
  if (found === undefined) throw notFound();
  return found;
}

function refundSale(
  simulation: Simulation,
  account: Account,
  sale: Sale,
  request: z.infer<typeof refundRequest>,
): SaleRefund {
  if (sale.state !== undefined) {
    throw new ProviderProblem(400, 'TRANSACTION_REFUSED', 'The transaction is not completed.');
  }
  const left = sale.amount.minor - sale.refunded;
  const amount =
    request.amount === undefined
      ? { ...sale.amount, minor: left }
      : readAmount({ value: request.amount.total, currency_code: request.amount.currency });
  if (left === 0n)
    throw unprocessable('TRANSACTION_ALREADY_REFUNDED', 'This transaction has already been refunded.');
  if (amount.currency !== sale.amount.currency || amount.minor > left) {
    throw unprocessable(
      'REFUND_EXCEEDED_TRANSACTION_AMOUNT',
      'Refund refused; the amount is more than is left.',
    );
  }
  if (amount.minor < left && isDisputed(account, sale)) {
    throw new ProviderProblem(
      400,
      'TRANSACTION_REFUSED',
      'Because a complaint case exists on this transaction, only a refund of the full or full remaining amount of the transaction can be issued.',
    );
  }
  return returnMoney(simulation, account, {
    sale,
    amount,
    why: 'REFUNDED',
    invoiceId: request.invoice_number,
  });
}

function isDisputed(account: Account, sale: Sale): boolean {
  return [...account.disputes.values()].some((dispute) => dispute.sale === sale && dispute.outcome === null);
}

/** Returns money of a sale to its payer: refunded by the merchant, or reversed by B. */
export function returnMoney(
  simulation: Simulation,
  account: Account,
  returned: { sale: Sale; amount: Amount; why: 'REFUNDED' | 'REVERSED'; invoiceId?: string | undefined },
): SaleRefund {
  const { sale, amount, why, invoiceId } = returned;
  sale.refunded += amount.minor;
  const now = simulation.core.clock.now();
  const totalRefunded = sale.refunded;
  const refund: SaleRefund = { id: newId(), sale, amount, totalRefunded, invoiceId, createdAt: now };
  account.saleRefunds.set(refund.id, refund);
  if (sale.refunded === sale.amount.minor) markReversed(account, sale.id);
  account.ledger.push({
    id: refund.id,
    code: why === 'REFUNDED' ? 'T1107' : 'T1106',
    referenceId: sale.id,
    amount: { ...amount, minor: -amount.minor },
    fee: 0n,
    at: now,
    status: 'S',
    customId: undefined,
    invoiceId,
  });
  publish(simulation, account, {
    type: `PAYMENT.SALE.${why}`,
    resourceType: 'refund',
    summary: `A ${shortText(amount.minor, amount.currency)} ${amount.currency} sale payment was ${why.toLowerCase()}`,
    resource: saleRefundObject(account, refund, -amount.minor),
  });
  return refund;
}

/** @param minor negative in an event, positive in a response */
function saleRefundObject(account: Account, refund: SaleRefund, minor: bigint): unknown {
  const { sale, amount, totalRefunded, invoiceId } = refund;
  const host = `${eventHost(account)}/v1/payments`;
  return {
    id: refund.id,
    state: 'completed',
    amount: writeVersion1({ ...amount, minor }),
    sale_id: sale.id,
    total_refunded_amount: { value: shortText(totalRefunded, amount.currency), currency: amount.currency },
    ...(invoiceId === undefined ? {} : { invoice_number: invoiceId }),
    create_time: isoSeconds(refund.createdAt),
    update_time: isoSeconds(refund.createdAt),
    links: [
      { href: `${host}/refund/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${host}/sale/${sale.id}`, rel: 'sale', method: 'GET' },
    ],
  };
}
