import type { Page } from './resources';

/** All of a list, page after page: for lists that are short where they are read so. */
export function readAll<Item>(load: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  return readMatching(load, () => true, Number.POSITIVE_INFINITY);
}

/** The first of a list that are wanted, at most so many: its pages are read until there are. */
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
