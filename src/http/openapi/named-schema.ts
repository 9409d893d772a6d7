import { z } from 'zod';

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

/** The members of `pageSchema` and of `completeListSchema`, in alphabetical order, and how each is named. */
const ENVELOPES: Readonly<Record<string, string>> = {
  'data,hasMore,nextCursor': 'Page',
  'data,hasMore': 'List',
};

/** The envelope of a list as a component named after its items, `PlanPage`; any other schema as it is. */
export function namedEnvelope(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodObject) || schema.meta()?.id !== undefined) return schema;
  const envelope = ENVELOPES[Object.keys(schema.shape).sort().join()];
  const data: unknown = schema.shape['data'];
  const item = data instanceof z.ZodArray ? z.globalRegistry.get(data.element)?.id : undefined;
  return envelope === undefined || item === undefined
    ? schema
    : namedSchema(`${item}${envelope}`, () => schema);
}
