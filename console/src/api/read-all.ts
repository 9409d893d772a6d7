import type { Page } from './resources';

/** All of a list, page after page: for lists that are short where they are read so. */
export async function readAll<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    items.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}
