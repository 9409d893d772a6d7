import { z } from 'zod';

/**
 * Returns the names of the members that a schema accepts in the object at `path`, or an empty list if the object is one
 * of several kinds, or any names are accepted.
 *
 * @param path from the schema's root to the object, as in the issues of zod
 */
export function acceptedMembers(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const found = schemaAt(schema, path);
  const inner = found === undefined ? undefined : unwrapped(found).at(-1);
  return inner instanceof z.core.$ZodObject ? Object.keys(inner._zod.def.shape) : [];
}

/** Returns the example that a schema gives of the value at `path`, or undefined if it gives none. */
export function exampleAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): unknown {
  const found = schemaAt(schema, path);
  if (found === undefined) return undefined;
  for (const layer of unwrapped(found)) {
    const example = z.globalRegistry.get(layer)?.['example'] ?? null;
    if (example !== null) return example;
  }
  return undefined;
}

function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return schema;
  const inner = unwrapped(schema).at(-1);
  if (inner instanceof z.core.$ZodObject) {
    const shape: Record<string, z.core.$ZodType> = inner._zod.def.shape;
    const member = shape[String(first)];
    return member === undefined ? undefined : schemaAt(member, rest);
  }
  return inner instanceof z.core.$ZodArray ? schemaAt(inner._zod.def.element, rest) : undefined;
}

/** Returns a value's schema, then what remains without each layer that makes it optional, nullable, a default, … */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodPipe) return [schema, ...unwrapped(schema._zod.def.in)];
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodReadonly
  ) {
    return [schema, ...unwrapped(schema._zod.def.innerType)];
  }
  return [schema];
}
