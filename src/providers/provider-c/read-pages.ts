import type { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import { readOutcome, type Fetched } from './client';
import { pageOf } from './schemas';

const PAGE_SIZE = 100;
/** A longer list was requested with the wrong filter. */
const MAX_PAGES = 50;
/** For an account's payments and refunds: a settlement covers all payments of a day, and refunds of any age. */
export const MAX_PAGES_OF_MONEY = 1_000;

/**
 * Reads a complete list. An item added while it is read moves the rest down, so an item may appear twice; it is kept
 * once. A list that does not end is `unknown`; a part is never returned.
 *
 * @param filter the query, without its paging
 * @param most maximum number of pages
 */
export async function readPages<T extends { id: number }>(
  access: ConnectionAccess,
  path: string,
  filter: Readonly<Record<string, string>>,
  item: z.ZodType<T>,
  most = MAX_PAGES,
): Promise<Fetched<T[]>> {
  const found = new Map<number, T>();
  for (let page = 1; page <= most; page += 1) {
    const query = new URLSearchParams({ ...filter, perPage: String(PAGE_SIZE), page: String(page) });
    const answer = await readOutcome(access, `${path}?${query.toString()}`, pageOf(item));
    if (answer.kind !== 'done') return answer;
    const { data, meta } = answer.value;
    for (const each of data) found.set(each.id, each);
    const pageCount = meta?.pageCount ?? null;
    const isLast = pageCount === null ? data.length < PAGE_SIZE : page >= pageCount;
    if (isLast) return { kind: 'done', value: [...found.values()] };
  }
  return { kind: 'unknown', reason: `Provider C's list at ${path} has more than ${most} pages.` };
}
