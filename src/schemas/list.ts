import { z } from 'zod';
import { instantInput } from './instant';
import { cursorSchema, takeSchema } from '../pagination/cursor';

/** The filters by time that every list has. */
const timeRange = {
  from: instantInput.optional().meta({ description: 'Only those created at this time or later.' }),
  to: instantInput.optional().meta({ description: 'Only those created before this time.' }),
};

/** The query of a list: when its items were created, page size and where to go on. Filters are added by `.extend`. */
export const listQuery = z.strictObject({ ...timeRange, take: takeSchema, cursor: cursorSchema });

/** That of a list with a window of its own. */
export const windowQuery = listQuery.omit({ from: true, to: true });

/** A filter that is `true` or `false`; left out, both are listed. */
export const booleanFilter = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional();
