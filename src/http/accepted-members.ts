import { z } from 'zod';

/**
 * Returns the names of the members that a schema accepts in the object at `path`, or an empty list if the object is one
 * of several kinds, or any names are accepted.
 *
 * @param path from the schema's root to the object, as in the issues of zod
 */
export function acceptedMembers(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema);
  const [first, ...rest] = path;
  if (inner instanceof z.core.$ZodObject) {
    const shape: Record<string, z.core.$ZodType> = inner._zod.def.shape;
    if (first === undefined) return Object.keys(shape);
    const member = shape[String(first)];
    return member === undefined ? [] : acceptedMembers(member, rest);
  }
  return inner instanceof z.core.$ZodArray && first !== undefined
    ? acceptedMembers(inner._zod.def.element, rest)
    : [];
}

/** Returns the schema of the value without what makes it optional, nullable, a default or transformed. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.core.$ZodPipe) return unwrap(schema._zod.def.in);
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodReadonly
  ) {
    return unwrap(schema._zod.def.innerType);
  }
  return schema;
}
