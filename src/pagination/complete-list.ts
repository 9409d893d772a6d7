import { z } from 'zod';

/** The shape of a list that is always answered whole. */
export function completeListSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), hasMore: z.literal(false) });
}

/** Such a list. */
export function completeList<Item>(data: Item[]): { data: Item[]; hasMore: false } {
  return { data, hasMore: false };
}
