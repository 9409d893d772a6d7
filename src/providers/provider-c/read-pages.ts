import type { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import { readOutcome, type Fetched } from './client';
import { pageOf } from './schemas';

const PAGE_SIZE = 100;
/** A list that is longer was asked for with the wrong filter. */
const MAX_PAGES = 50;

/**
 * A whole list. What is added while it is read moves the rest down a page, so that the same thing may come twice: it
 * is kept once. A list that does not end is `unknown`, and never half of it.
 *
 * @param filter the query, without its paging
 * @param most of so many pages at most
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
    const isLast = meta?.pageCount === undefined ? data.length < PAGE_SIZE : page >= meta.pageCount;
    if (isLast) return { kind: 'done', value: [...found.values()] };
  }
  return { kind: 'unknown', reason: `Provider C's list at ${path} has more than ${most} pages.` };
}
