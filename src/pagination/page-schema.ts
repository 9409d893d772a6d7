import { z } from 'zod';

/** Page size if `take` is omitted. */
const DEFAULT_TAKE = 50;
/** The largest page size. */
const MAX_TAKE = 200;

/** Query parameter `take`: digits only, so that '', '1e2' and '+5' are refused rather than interpreted. */
export const takeSchema = z
  .string()
  .refine((take) => /^\d{1,9}$/.test(take) && Number(take) >= 1 && Number(take) <= MAX_TAKE, {
    error: `is not an integer from 1 to ${MAX_TAKE}`,
    params: { fix: `Send an integer from 1 to ${MAX_TAKE}.` },
  })
  .transform(Number)
  .default(DEFAULT_TAKE)
  .meta({
    description: 'Page size.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_TAKE,
    default: DEFAULT_TAKE,
  });

/** Query parameter `cursor`. Its content is checked by `decodeCursor`. */
export const cursorSchema = z
  .string()
  .optional()
  .meta({ description: 'The `nextCursor` of the previous page, with the same filters.' });

/** Returns the schema of a list answer. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    hasMore: z.boolean().meta({ description: 'Whether there are further pages.' }),
    nextCursor: z.string().optional().meta({ description: 'Present exactly when `hasMore` is true.' }),
  });
}
