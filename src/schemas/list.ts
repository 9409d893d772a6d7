import { z } from 'zod';
import { cursorSchema, takeSchema } from '../pagination/cursor';

/** The query of a list: page size and where to go on. Filters are added by `.extend`. */
export const listQuery = z.strictObject({ take: takeSchema, cursor: cursorSchema });

/** A filter that is `true` or `false`; left out, both are listed. */
export const booleanFilter = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional();
