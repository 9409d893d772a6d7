import { z } from 'zod';

/**
 * A named schema, or null. `.nullable()` would make the component itself nullable in the OpenAPI document, for
 * whoever refers to it: this is nullable at its use.
 */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}
