import type { Page } from './resources';

/** Reads a whole list, page by page. For lists that are short. */
export function readAll<Item>(load: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  return readMatching(load, () => true, Number.POSITIVE_INFINITY);
}

/** Reads a list page by page until enough matching items are found, and returns at most `most` of them. */
export async function readMatching<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
  isWanted: (item: Item) => boolean,
  most: number,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    items.push(...page.data.filter(isWanted));
    cursor = page.nextCursor;
  } while (cursor !== undefined && items.length < most);
  return items.slice(0, most);
}
