import { z } from 'zod';

const named = new Map<string, z.ZodType>();

/**
 * Makes a schema a named component. Zod knows an id once per process, while each host has its own document, so the
 * first schema made for a name is reused.
 */
export function namedSchema(id: string, make: () => z.ZodType): z.ZodType {
  const schema = named.get(id) ?? make().meta({ id });
  named.set(id, schema);
  return schema;
}

/** Envelope names by the members of `pageSchema` and `completeListSchema`, in alphabetical order. */
const ENVELOPES: Readonly<Record<string, string>> = {
  'data,hasMore,nextCursor': 'Page',
  'data,hasMore': 'List',
};

/** Names a list's envelope after its items, as in `PlanPage`; returns any other schema unchanged. */
export function namedEnvelope(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodObject) || schema.meta()?.id !== undefined) return schema;
  const envelope = ENVELOPES[Object.keys(schema.shape).sort().join()];
  const data: unknown = schema.shape['data'];
  const item = data instanceof z.ZodArray ? z.globalRegistry.get(data.element)?.id : undefined;
  return envelope === undefined || item === undefined
    ? schema
    : namedSchema(`${item}${envelope}`, () => schema);
}
