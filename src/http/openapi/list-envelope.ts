import { z } from 'zod';
import { namedSchema } from './named-schema';

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
