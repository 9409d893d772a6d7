import type Router from '@koa/router';
import { z } from 'zod';
import { writeAmount } from './amounts';
import { accountOf } from './authentication';
import { isoSeconds } from './identifiers';
import { ownAddress } from './own-address';
import { answer, notFound, readQuery } from './problem';
import { statusOfSale } from './sale-objects';
import type { Sale, Simulation } from './state';

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const query = z.strictObject({ start_time: time, end_time: time });

/** The original has no parameter for another size or another page. */
const PAGE_SIZE = 10;

/** `GET /v1/billing/subscriptions/{id}/transactions`: its payments within a required range, the first page of them. */
export function subscriptionTransactionRoutes(simulation: Simulation, router: Router): void {
  router.get('/v1/billing/subscriptions/:id/transactions', (ctx) => {
    const account = accountOf(simulation, ctx);
    const id = ctx.params['id'] ?? '';
    if (!account.subscriptions.has(id)) throw notFound();
    const { start_time: start, end_time: end } = readQuery(ctx, query);
    const sales = [...account.sales.values()].filter(
      ({ subscriptionId, createdAt }) => subscriptionId === id && createdAt >= start && createdAt <= end,
    );
    answer(ctx, 200, {
      transactions: sales.slice(0, PAGE_SIZE).map(transactionObject),
      total_items: sales.length,
      total_pages: Math.ceil(sales.length / PAGE_SIZE),
      links: [{ href: ownAddress(ctx) + ctx.url, rel: 'self', method: 'GET' }],
    });
  });
}

function transactionObject(sale: Sale): unknown {
  const { amount, fee } = sale;
  const { currency } = amount;
  return {
    id: sale.id,
    status: statusOfSale(sale),
    payer_email: 'payer@example.com',
    amount_with_breakdown: {
      gross_amount: writeAmount(amount),
      fee_amount: writeAmount({ minor: fee, currency }),
      net_amount: writeAmount({ minor: amount.minor - fee, currency }),
    },
    time: isoSeconds(sale.createdAt).replace('Z', '.000Z'),
  };
}
