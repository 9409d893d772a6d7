import { z } from 'zod';
import { isCurrency } from '../../domain/currency';
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/instant';
import type { ConnectionAccess } from '../connection-access';
import type { ProviderBClient } from './client';
import { failureOf } from './outcomes';
import { isSettled, type ReportLine } from './settlement-days';
import { identifier, instant, signedAmount } from './values';

const transaction = z
  .object({
    transaction_id: identifier,
    transaction_event_code: z.string(),
    transaction_status: z.string().nullish(),
    transaction_initiation_date: instant,
    transaction_amount: signedAmount,
    fee_amount: signedAmount.nullish(),
  })
  .refine(
    ({ transaction_amount: of, fee_amount: fee }) => (fee?.currency ?? of.currency) === of.currency,
    'the fee is in another currency',
  );

/** The fields that decide whether a line is read. */
const heading = z.looseObject({
  transaction_event_code: z.string(),
  transaction_amount: z
    .looseObject({ currency_code: z.string().regex(/^[A-Z]{3,5}$/) })
    .nullish()
    .catch(null),
});

/**
 * The lines that settlements are built from. The other lines of the report, such as holds and conversions, need not
 * have an amount. A line in an unsupported currency (a coin, for example) belongs to no settlement in a supported one.
 */
const details = z
  .array(z.looseObject({ transaction_info: heading }))
  .nullish()
  .transform((all): unknown => (all ?? []).filter(({ transaction_info: info }) => isRead(info)))
  .pipe(z.array(z.object({ transaction_info: transaction })));

function isRead({ transaction_event_code: code, transaction_amount: of }: z.infer<typeof heading>): boolean {
  return isSettled(code) && (!of || isCurrency(of.currency_code));
}

const page = z.object({
  transaction_details: details,
  account_number: identifier.nullish().catch(null),
  last_refreshed_datetime: instant,
  total_pages: z.string().regex(/^\d+$/).transform(Number),
});

interface Report {
  lines: ReportLine[];
  /** B's number of the account; null if it is not stated. */
  account: string | null;
  /** Later lines may be missing. */
  completeUntil: Instant;
}

/** B returns at most 31 days and 10,000 lines per request. */
const WINDOW_MS = 31 * DAY_MS;
const SHORTEST_MS = HOUR_MS;
const PAGE_SIZE = 500;

/** Reads the lines of `[from, to)`. @throws ProviderBFailure */
export async function readReport(
  client: ProviderBClient,
  access: ConnectionAccess,
  from: Instant,
  to: Instant,
): Promise<Report> {
  const report: Report = { lines: [], account: null, completeUntil: Infinity };
  for (let start = from; start < to; start += WINDOW_MS) {
    join(report, await readWindow(client, access, start, Math.min(start + WINDOW_MS, to)));
  }
  return report;
}

function join(report: Report, { lines, account, completeUntil }: Report): void {
  report.account ??= account;
  for (const line of lines) report.lines.push(line);
  report.completeUntil = Math.min(report.completeUntil, completeUntil);
}

/** Reads one window; a window with too many lines is split in half. */
async function readWindow(
  client: ProviderBClient,
  access: ConnectionAccess,
  from: Instant,
  to: Instant,
): Promise<Report> {
  try {
    return await readPages(client, access, from, to);
  } catch (error) {
    if (failureOf(error).code !== 'RESULTSET_TOO_LARGE' || to - from <= SHORTEST_MS) throw error;
    const middle = from + Math.floor((to - from) / 2000) * 1000;
    const report = await readWindow(client, access, from, middle);
    join(report, await readWindow(client, access, middle, to));
    return report;
  }
}

async function readPages(
  client: ProviderBClient,
  access: ConnectionAccess,
  from: Instant,
  to: Instant,
): Promise<Report> {
  const report: Report = { lines: [], account: null, completeUntil: Infinity };
  for (let number = 1, last = 1; number <= last; number += 1) {
    const query = new URLSearchParams({
      start_date: new Date(from).toISOString(),
      end_date: new Date(to).toISOString(),
      fields: 'transaction_info',
      page_size: PAGE_SIZE.toString(),
      page: number.toString(),
    });
    const read = await client.get(access, `/v1/reporting/transactions?${query.toString()}`, page);
    last = read.total_pages;
    const lines = read.transaction_details.map(({ transaction_info: info }) => lineOf(info));
    // B includes the end, so a line at exactly that instant is also in the next window.
    join(report, {
      lines: lines.filter(({ at }) => at >= from && at < to),
      account: read.account_number ?? null,
      completeUntil: read.last_refreshed_datetime,
    });
  }
  return report;
}

function lineOf(info: z.infer<typeof transaction>): ReportLine {
  return {
    id: info.transaction_id,
    at: info.transaction_initiation_date,
    eventCode: info.transaction_event_code,
    status: info.transaction_status ?? null,
    ...info.transaction_amount,
    fee: info.fee_amount?.amount ?? 0n,
  };
}
