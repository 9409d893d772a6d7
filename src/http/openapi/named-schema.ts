import type { z } from 'zod';

const named = new Map<string, z.ZodType>();

/**
 * A schema as a component of the document. Zod knows an id once in a process, and each host has a document, so a name
 * stands for the schema that was made for it first.
 */
export function namedSchema(id: string, make: () => z.ZodType): z.ZodType {
  const schema = named.get(id) ?? make().meta({ id });
  named.set(id, schema);
  return schema;
}
