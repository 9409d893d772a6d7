import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { ORDINARY_BODY } from '../body-limit';
import type { Route } from '../route';
import { headerReference, limitHeaders, securitySchemes } from './components';
import { namedEnvelope, namedSchema } from './named-schema';
import type { ProblemResponses } from './problem-responses';

/** Describes a route for OpenAPI, from the same declaration that serves it. */
export function operationOf(route: Route, problems: ProblemResponses): RouteConfig {
  const body = route.body ?? route.listBody?.schema;
  return {
    method: route.method,
    path: route.path,
    operationId: route.operationId,
    summary: route.summary,
    ...describedBy(route),
    tags: [route.tag],
    security: securityOf(route),
    parameters: sharedParameters(route),
    request: {
      ...(route.params === undefined ? {} : { params: asObject(route.params, route) }),
      ...(route.query === undefined ? {} : { query: asObject(route.query, route) }),
      ...(body === undefined
        ? {}
        : {
            body: {
              ...bodyOf(route),
              content: {
                'application/json': {
                  schema: requestSchema(route, body),
                  ...(route.example && { example: route.example }),
                },
              },
            },
          }),
      ...(route.rawBody === true ? { body: { ...bodyOf(route), content: rawContent } } : {}),
    },
    responses: { ...successes(route), ...problems.of(route) },
    ...(route.role === undefined ? {} : { 'x-required-role': route.role }),
    ...(route.stepUp === undefined ? {} : { 'x-second-factor': route.stepUp }),
    ...(route.scopes === undefined ? {} : { 'x-required-scopes': route.scopes.anyOf }),
  };
}

/** Returns the description, which also says who may call the route in production. */
function describedBy({ description, roleInProduction }: Route): { description?: string } {
  const role = roleInProduction && `In production this needs the role ${roleInProduction}.`;
  const parts = [description, role].filter((part) => part !== undefined);
  return parts.length === 0 ? {} : { description: parts.join(' ') };
}

/** Names the request schema, as in `CreatePlanRequest`, unless it has its own name. */
function requestSchema({ operationId }: Route, body: z.ZodType): z.ZodType {
  if (body.meta()?.id !== undefined) return body;
  return namedSchema(`${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`, () => body);
}

/** The sender decides the shape. */
const rawContent = {
  'application/json': { schema: { type: 'object' as const, additionalProperties: true } },
};

function bodyOf({ bodyLimit, listBody }: Route): { required: true; description: string } {
  const { bytes } = listBody ?? bodyLimit ?? ORDINARY_BODY;
  return { required: true, description: `At most ${bytes / 1024} KB.` };
}

function securityOf(route: Route): Record<string, string[]>[] {
  if (route.access === 'public') return [];
  return [{ [route.access === 'apiKey' ? securitySchemes.apiKey : securitySchemes.session]: [] }];
}

function sharedParameters(route: Route): { $ref: string }[] {
  const names: string[] = [];
  if (route.access === 'operator') names.push('organizationId', 'env');
  if (route.conditional === true) names.push('ifNoneMatch');
  if (route.idempotencyKey === 'required') names.push('idempotencyKey');
  if (route.idempotencyKey === 'optional') names.push('optionalIdempotencyKey');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function asObject(schema: z.ZodType, route: Route): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new Error(`The path and query parameters of ${route.operationId} must be declared as an object.`);
}

function successes(route: Route): Record<string, ResponseConfig> {
  const headers = {
    'Request-Id': headerReference('Request-Id'),
    ...(route.idempotencyKey === undefined
      ? {}
      : { 'Idempotency-Replayed': headerReference('Idempotency-Replayed') }),
    ...(route.conditional === true && { ETag: headerReference('ETag') }),
    ...(route.access === 'apiKey' && limitHeaders),
  };
  const entries = Object.entries(route.responses).map(
    ([status, { description, schema, contentType, otherType, location }]) => {
      const content =
        schema === undefined
          ? {}
          : { content: contentOf([contentType ?? 'application/json', otherType], namedEnvelope(schema)) };
      const where = location === true ? { Location: headerReference('Location') } : {};
      return [status, { description, headers: { ...headers, ...where }, ...content }] as const;
    },
  );
  const unchanged = { description: 'Not modified since the answer with that ETag.', headers };
  return { ...Object.fromEntries(entries), ...(route.conditional === true && { 304: unchanged }) };
}

function contentOf(
  types: readonly (string | undefined)[],
  schema: ReturnType<typeof namedEnvelope>,
): Record<string, { schema: ReturnType<typeof namedEnvelope> }> {
  return Object.fromEntries(types.flatMap((type) => (type === undefined ? [] : [[type, { schema }]])));
}
