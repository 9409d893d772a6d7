import type Router from '@koa/router';
import { z } from 'zod';
import { writeAmount } from './amounts';
import { accountOf } from './authentication';
import { isoSeconds } from './identifiers';
import { ownAddress } from './own-address';
import { answer, invalidRequest, readQuery } from './problem';
import type { LedgerLine, Simulation } from './state';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const query = z.strictObject({
  start_date: time,
  end_date: time,
  fields: z.string().optional(),
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(500).default(100),
});

const WINDOW_MS = 31 * DAY_MS;
/** Delay after which a transaction appears in the report. */
const DELAY_MS = 3 * HOUR_MS;

/** `GET /v1/reporting/transactions`: payments, fees and refunds, with a delay and at most 31 days at once. */
export function reportRoutes(simulation: Simulation, router: Router): void {
  router.get('/v1/reporting/transactions', (ctx) => {
    const account = accountOf(simulation, ctx);
    const { start_date: start, end_date: end, page, page_size: size } = readQuery(ctx, query);
    if (end < start || end - start > WINDOW_MS) {
      throw invalidRequest([
        {
          field: 'end_date',
          location: 'query',
          issue: 'INVALID_DATE_RANGE',
          description: 'Date range is greater than 31 days, or ends before it starts.',
        },
      ]);
    }
    const refreshedAt = simulation.core.clock.now() - DELAY_MS;
    const lines = account.ledger.filter(({ at }) => at >= start && at <= Math.min(end, refreshedAt));
    answer(ctx, 200, {
      transaction_details: lines.slice((page - 1) * size, page * size).map(transactionObject),
      account_number: account.merchantId,
      start_date: reportTime(start),
      end_date: reportTime(end),
      last_refreshed_datetime: reportTime(refreshedAt),
      page,
      total_items: lines.length,
      total_pages: Math.ceil(lines.length / size),
      links: [{ href: ownAddress(ctx) + ctx.url, rel: 'self', method: 'GET' }],
    });
  });
}

function transactionObject(line: LedgerLine): unknown {
  const { currency } = line.amount;
  return {
    transaction_info: {
      transaction_id: line.id,
      ...(line.referenceId === undefined
        ? {}
        : {
            paypal_reference_id: line.referenceId,
            paypal_reference_id_type: line.code === 'T0002' ? 'SUB' : 'TXN',
          }),
      transaction_event_code: line.code,
      transaction_initiation_date: reportTime(line.at),
      transaction_updated_date: reportTime(line.at),
      transaction_amount: writeAmount(line.amount),
      ...(line.fee === 0n ? {} : { fee_amount: writeAmount({ minor: -line.fee, currency }) }),
      transaction_status: line.status,
      ...(line.customId === undefined ? {} : { custom_field: line.customId }),
      ...(line.invoiceId === undefined ? {} : { invoice_id: line.invoiceId }),
    },
  };
}

/** Formats `2018-12-10T21:20:49+0000`: the report writes its offset without a colon. */
function reportTime(instant: number): string {
  return isoSeconds(instant).replace('Z', '+0000');
}
