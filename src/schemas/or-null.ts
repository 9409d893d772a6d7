import { z } from 'zod';

/**
 * Returns a named schema or null. `.nullable()` would make the component itself nullable in the OpenAPI document for
 * all of its references; this is nullable only at its use.
 */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}
