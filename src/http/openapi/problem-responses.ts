import type { OpenAPIRegistry, ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { errorCatalogue, type ErrorCode } from '../../domain/errors';
import type { Route } from '../route';
import { headerReference, problemSchema } from './components';
import { bodyErrors, errorCodesOf } from './route-errors';

type ProblemResponse = ResponseConfig | { $ref: string };

/** What one document says of refusals and failures. */
export interface ProblemResponses {
  /** Of one route: a response for each status. */
  of: (route: Route) => Record<string, ProblemResponse>;
  /** What the responses refer to; complete when every route has been asked for. */
  schemas: () => { type: 'schema'; schema: z.ZodType }[];
}

/** A name of more parts than this says less than the list of codes itself. */
const MOST_NAMED = 3;

/** All that can be wrong with the bytes of a body, which come together wherever one is read as JSON. */
const BODY_UNUSABLE = bodyErrors.filter(
  (code) => code.startsWith('body_') && errorCatalogue[code].status === 400,
);

/**
 * Responses that list the codes which come with a status. Where these are few they are a component of the document,
 * named after them, which all routes with the same codes share: a document that writes each out at each route is
 * four times as large, and generated clients have as many types too many. Longer lists stay with their route. A name
 * depends on its codes alone, so that no route's types change because of another route.
 */
export function problemResponses(registry: OpenAPIRegistry): ProblemResponses {
  const shared = new Map<string, z.ZodType>();
  const share = (name: string, status: number, codes: readonly ErrorCode[]): ProblemResponse => {
    const schema = `${name}Problem`;
    if (!shared.has(name)) {
      shared.set(name, namedProblem(schema, codes));
      const reference = { $ref: `#/components/schemas/${schema}` };
      registry.registerComponent('responses', name, responseOf(status, codes, reference));
    }
    return { $ref: `#/components/responses/${name}` };
  };
  const of = (route: Route): Record<string, ProblemResponse> => {
    const codes = errorCodesOf(route);
    const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))];
    const entries = statuses.map((status) => {
      const ofStatus = codes.filter((code) => errorCatalogue[code].status === status);
      const members = route.problemMembers?.[status];
      const name = members === undefined ? nameOf(ofStatus) : undefined;
      const response =
        name === undefined
          ? responseOf(status, ofStatus, problemOf(ofStatus, members))
          : share(name, status, ofStatus);
      return [String(status), response] as const;
    });
    return Object.fromEntries(entries);
  };
  return { of, schemas: () => [...shared.values()].map((schema) => ({ type: 'schema', schema })) };
}

/** `RoleForbiddenOrOriginForbidden`; undefined when there are too many to name. */
function nameOf(codes: readonly ErrorCode[]): string | undefined {
  const unusable = BODY_UNUSABLE.every((code) => codes.includes(code));
  const parts = codes.map((code) => (unusable && BODY_UNUSABLE.includes(code) ? 'body_unusable' : code));
  const named = [...new Set(parts)].map(pascalCase);
  return named.length > MOST_NAMED ? undefined : named.join('Or');
}

const pascalCase = (code: string): string =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function responseOf<Schema>(status: number, codes: readonly ErrorCode[], schema: Schema) {
  const retry = status === 503 || status === 429 ? { 'Retry-After': headerReference('Retry-After') } : {};
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorCatalogue[code].title}`).join('\n'),
    headers: { 'Request-Id': headerReference('Request-Id'), ...retry },
    content: { 'application/problem+json': { schema } },
  };
}

/** The problem with the codes that come under one status, and with what a route adds. */
function problemOf(codes: readonly ErrorCode[], members?: z.ZodObject): z.ZodType {
  return z.intersection(problemSchema, z.looseObject({ code: z.enum(codes), ...members?.shape }));
}

const named = new Map<string, z.ZodType>();

/** Zod knows a schema's id once in a process, and each host has a document. */
function namedProblem(id: string, codes: readonly ErrorCode[]): z.ZodType {
  const schema = named.get(id) ?? problemOf(codes).meta({ id });
  named.set(id, schema);
  return schema;
}
