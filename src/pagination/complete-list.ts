import { z } from 'zod';

/** Returns the schema of a list that is always returned whole. */
export function completeListSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), hasMore: z.literal(false) });
}

/** Returns such a list. */
export function completeList<Item>(data: Item[]): { data: Item[]; hasMore: false } {
  return { data, hasMore: false };
}
