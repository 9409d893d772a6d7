import { z } from 'zod';
import { line } from '../schemas/text';

/** Name of a property of uses. */
export const propertyName = line({ min: 1, max: 64 }).meta({ example: 'model' });

/** Maximum number of dimensions per feature. */
const MAX_DIMENSIONS = 3;

/** Names of the properties by whose values a feature's uses are grouped. */
export const dimensionNames = z
  .array(propertyName)
  .max(MAX_DIMENSIONS)
  .refine((names) => new Set(names).size === names.length, {
    error: 'has a name twice',
    params: { fix: 'Send each name once.' },
  })
  .meta({
    description:
      'Up to three properties of its usage events by which a series can be grouped. A dimension applies from when it is declared; earlier events have no value for it. Up to 1,000 values of each are distinguished.',
    example: ['model'],
  });
