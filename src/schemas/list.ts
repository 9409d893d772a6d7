import { z } from 'zod';
import { instantInput } from './instant';
import { cursorSchema, takeSchema } from '../pagination/page-schema';

/** Time filters of every list. */
const timeRange = {
  from: instantInput.optional().meta({ description: 'Only those created at this time or later.' }),
  to: instantInput.optional().meta({ description: 'Only those created before this time.' }),
};

/** Query of a list: when its items were created, page size and cursor. Filters are added by `.extend`. */
export const listQuery = z.strictObject({ ...timeRange, take: takeSchema, cursor: cursorSchema });

/** Query of a list with a time window of its own. */
export const windowQuery = listQuery.omit({ from: true, to: true });

/** A filter that is `true` or `false`; if omitted, both are listed. */
export const booleanFilter = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional();
