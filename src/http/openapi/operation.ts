import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { errorCatalogue, type ErrorCode } from '../../domain/errors';
import { ORDINARY_BODY } from '../body-limit';
import type { Route } from '../route';
import { problemSchema, securitySchemes } from './components';
import { errorCodesOf } from './route-errors';

/** A route as OpenAPI describes it, from the same declaration that serves it. */
export function operationOf(route: Route): RouteConfig {
  return {
    method: route.method,
    path: route.path,
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    security: securityOf(route),
    parameters: sharedParameters(route),
    request: {
      ...(route.params === undefined ? {} : { params: asObject(route.params, route) }),
      ...(route.query === undefined ? {} : { query: asObject(route.query, route) }),
      ...(route.body === undefined
        ? {}
        : { body: { ...bodyOf(route), content: { 'application/json': { schema: route.body } } } }),
      ...(route.rawBody === true ? { body: { ...bodyOf(route), content: rawContent } } : {}),
    },
    responses: { ...successes(route), ...problems(route) },
    ...(route.role === undefined ? {} : { 'x-required-role': route.role }),
  };
}

/** Of whatever shape its sender gives it. */
const rawContent = {
  'application/json': { schema: { type: 'object' as const, additionalProperties: true } },
};

function bodyOf({ bodyLimit = ORDINARY_BODY }: Route): { required: true; description: string } {
  return { required: true, description: `At most ${bodyLimit.bytes / 1024} KB.` };
}

function securityOf(route: Route): Record<string, string[]>[] {
  if (route.access === 'public') return [];
  return [{ [route.access === 'apiKey' ? securitySchemes.apiKey : securitySchemes.session]: [] }];
}

function sharedParameters(route: Route): { $ref: string }[] {
  const names: string[] = [];
  if (route.access === 'operator') names.push('organizationId', 'env');
  if (route.idempotencyKey === 'required') names.push('idempotencyKey');
  if (route.idempotencyKey === 'optional') names.push('optionalIdempotencyKey');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function asObject(schema: z.ZodType, route: Route): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new Error(`The path and query parameters of ${route.operationId} must be declared as an object.`);
}

const answerHeaders = {
  'Request-Id': {
    description: 'Names this request in logs and support.',
    schema: { type: 'string' as const },
  },
};

function successes(route: Route): Record<string, ResponseConfig> {
  const replayed = {
    'Idempotency-Replayed': {
      description: '`true` when this is the stored answer of an earlier request with the same key.',
      schema: { type: 'string' as const, enum: ['true'] },
    },
  };
  const headers = { ...answerHeaders, ...(route.idempotencyKey === undefined ? {} : replayed) };
  const entries = Object.entries(route.responses).map(([status, { description, schema, contentType }]) => {
    const content =
      schema === undefined ? {} : { content: { [contentType ?? 'application/json']: { schema } } };
    return [status, { description, headers, ...content }] as const;
  });
  return Object.fromEntries(entries);
}

/** One response a status, which lists the codes that come with it. */
function problems(route: Route): Record<string, ResponseConfig> {
  const codes = errorCodesOf(route);
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => errorCatalogue[code].status === status);
      const lines = ofStatus.map((code) => `- \`${code}\`: ${errorCatalogue[code].title}`);
      const retry = {
        'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const } },
      };
      return [
        String(status),
        {
          description: lines.join('\n'),
          headers: { ...answerHeaders, ...(status === 503 || status === 429 ? retry : {}) },
          content: {
            'application/problem+json': { schema: problemOf(ofStatus, route.problemMembers?.[status]) },
          },
        },
      ];
    }),
  );
}

/** The problem with the codes that this route answers under one status, and with what they add. */
function problemOf(codes: readonly ErrorCode[], members: z.ZodObject | undefined): z.ZodType {
  const told = z.looseObject({ code: z.enum(codes), ...members?.shape });
  return z.intersection(problemSchema, told);
}
