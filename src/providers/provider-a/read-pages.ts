import { z } from 'zod';

/** The most that the provider gives at once. */
const PAGE = 100;
/** Many times what a payout has. */
const MOST_PAGES = 1_000;

/**
 * Everything of a list, page by page; never half of it.
 *
 * @param readPage asks for one page
 * @param element what each is to be
 * @throws ZodError when a page is no list, or an element is not what it is to be; RangeError when the list does not end
 */
export async function readPages<T extends { id: string }>(
  readPage: (paging: { limit: number; starting_after?: string }) => Promise<unknown>,
  element: z.ZodType<T>,
): Promise<T[]> {
  const page = z.looseObject({ data: z.array(element), has_more: z.boolean() });
  const all: T[] = [];
  for (let read = 0; read < MOST_PAGES; read += 1) {
    const last = all.at(-1);
    const paging = last === undefined ? { limit: PAGE } : { limit: PAGE, starting_after: last.id };
    const { data, has_more: more } = page.parse(await readPage(paging));
    all.push(...data);
    if (!more || data.length === 0) return all;
  }
  throw new RangeError(`A list of provider A has more than ${MOST_PAGES} pages.`);
}
