import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The subset of JSON Schema that the hosts' documents use. */
export interface Shape {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  anyOf?: Shape[] | undefined;
  oneOf?: Shape[] | undefined;
  allOf?: Shape[] | undefined;
  properties?: Record<string, Shape> | undefined;
  required?: string[] | undefined;
  items?: Shape | undefined;
  additionalProperties?: unknown;
  pattern?: string | undefined;
  format?: string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}
const shape = z.custom<Shape>((value) => typeof value === 'object' && value !== null);
const parameter = z.object({
  $ref: z.string().optional(),
  name: z.string().optional(),
  in: z.string().optional(),
  required: z.boolean().optional(),
  schema: shape.optional(),
});
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: shape.optional() })) }).optional(),
});
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({
    schemas: z.record(z.string(), shape).default({}),
    parameters: z.record(z.string(), parameter).default({}),
  }),
});

export type Schemas = Readonly<Record<string, Shape>>;

/** A route as described in its host's OpenAPI document. */
export interface DescribedRoute {
  operationId: string;
  method: string;
  path: string;
  query: { name: string; schema: Shape; required: boolean }[];
  takesKey: boolean;
  body: Shape | undefined;
  schemas: Schemas;
}

/** Returns the routes of `docs/openapi/<name>.json`. */
export async function describedRoutes(name: 'console' | 'api'): Promise<DescribedRoute[]> {
  const { paths, components } = document.parse(
    JSON.parse(await readFile(`docs/openapi/${name}.json`, 'utf8')),
  );
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]): DescribedRoute[] => {
      const read = operation.safeParse(described);
      if (!read.success) return [];
      const parameters = read.data.parameters.map((one) =>
        one.$ref === undefined ? one : (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? one),
      );
      const query = parameters.flatMap(({ name: its, in: place, schema = {}, required = false }) =>
        place === 'query' && its !== undefined ? [{ name: its, schema, required }] : [],
      );
      const takesKey = parameters.some(({ name: its }) => its === 'Idempotency-Key');
      const body = read.data.requestBody?.content['application/json']?.schema;
      const { operationId } = read.data;
      return [
        {
          operationId,
          method: method.toUpperCase(),
          path,
          query,
          takesKey,
          body,
          schemas: components.schemas,
        },
      ];
    }),
  );
}
