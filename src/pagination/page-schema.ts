import { z } from 'zod';

/** Page size if `take` is omitted. */
const DEFAULT_TAKE = 50;
/** The largest page size. */
const MAX_TAKE = 200;

const MESSAGE = `is not an integer from 1 to ${MAX_TAKE}`;

/** Query parameter `take`: digits only, so that '', '1e2' and '+5' are refused rather than interpreted. */
export const takeSchema = z
  .string()
  .regex(/^\d{1,9}$/, MESSAGE)
  .transform(Number)
  .refine((take) => take >= 1 && take <= MAX_TAKE, MESSAGE)
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
