import { z } from 'zod';

/** Maximum page size of the provider. */
const PAGE = 100;
/** Far more pages than any payout has. */
const MAX_PAGES = 1_000;

/**
 * Reads a complete list, page by page; never returns part of it.
 *
 * @param readPage requests one page
 * @param element schema of each element
 * @throws ZodError when a page is not a list, or an element does not match; RangeError when the list does not end
 */
export async function readPages<T extends { id: string }>(
  readPage: (paging: { limit: number; starting_after?: string }) => Promise<unknown>,
  element: z.ZodType<T>,
): Promise<T[]> {
  const page = z.looseObject({ data: z.array(element), has_more: z.boolean() });
  const all: T[] = [];
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const last = all.at(-1);
    const paging = last === undefined ? { limit: PAGE } : { limit: PAGE, starting_after: last.id };
    const { data, has_more: more } = page.parse(await readPage(paging));
    all.push(...data);
    if (!more || data.length === 0) return all;
  }
  throw new RangeError(`A list of provider A has more than ${MAX_PAGES} pages.`);
}
