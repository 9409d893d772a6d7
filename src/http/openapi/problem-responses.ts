import type { OpenAPIRegistry, ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { errorCatalogue, type ErrorCode } from '../../domain/errors';
import type { Access, Route } from '../route';
import { headerReference, limitHeaders, problemSchema } from './components';
import { namedSchema } from './named-schema';
import { apiKeyErrors, bodyErrors, errorCodesOf } from './route-errors';

type ProblemResponse = ResponseConfig | { $ref: string };

/** Describes the refusals and failures in one document. */
export interface ProblemResponses {
  /** The responses of one route, by status. */
  of: (route: Route) => Record<string, ProblemResponse>;
  /** The schemas that the responses refer to; complete once every route has been asked for. */
  schemas: () => { type: 'schema'; schema: z.ZodType }[];
}

/** A name of more parts says less than the list of codes itself. */
const MAX_NAMED = 3;

/** All errors about the bytes of a JSON body; they always appear together. */
const BODY_UNUSABLE = bodyErrors.filter(
  (code) => code.startsWith('body_') && errorCatalogue[code].status === 400,
);

/** All errors about a secret key itself; they always appear together. */
const KEY_REFUSED = apiKeyErrors.filter((code) => errorCatalogue[code].status === 401);

/** Errors of the header on routes that require it. */
const KEY_UNUSABLE: readonly ErrorCode[] = ['idempotency_key_required', 'idempotency_key_invalid'];

/** Errors that ask for an operator's second factor; they appear together on routes that ask for it again. */
const FACTOR_WANTED: readonly ErrorCode[] = ['second_factor_required', 'second_factor_enrolment_required'];

/** Conflicts that may resolve themselves; `Retry-After` then says when. */
const TEMPORARY_CONFLICTS: ReadonlySet<ErrorCode> = new Set(['idempotency_key_in_use', 'nothing_to_retry']);

/**
 * Builds the responses that list the codes of a status. A short list is a component named after its codes, shared by
 * all routes with the same codes: writing each out at each route makes the document four times as large, and generated
 * clients get as many redundant types. Longer lists stay with their route. A name depends only on its codes, so that no
 * route's types change because of another route.
 */
export function problemResponses(registry: OpenAPIRegistry, host: 'api' | 'console'): ProblemResponses {
  const schemas = new Map<string, z.ZodType>();
  const responses = new Set<string>();
  const share = (
    name: string,
    access: Access,
    status: number,
    codes: readonly ErrorCode[],
  ): ProblemResponse => {
    const schema = `${name}Problem`;
    if (!schemas.has(name)) schemas.set(name, namedProblem(schema, codes));
    const response = responseOf(access, status, codes, { $ref: `#/components/schemas/${schema}` });
    // Where most routes take a key, the others do not have its headers, and share only the schema.
    if (host === 'api' && access !== 'apiKey') return response;
    if (!responses.has(name)) {
      responses.add(name);
      registry.registerComponent('responses', name, response);
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
          ? responseOf(route.access, status, ofStatus, problemOf(ofStatus, members))
          : share(name, route.access, status, ofStatus);
      return [String(status), response] as const;
    });
    return Object.fromEntries(entries);
  };
  return { of, schemas: () => [...schemas.values()].map((schema) => ({ type: 'schema', schema })) };
}

/** Names the codes, as in `RoleForbiddenOrOriginForbidden`; undefined if there are too many. */
function nameOf(codes: readonly ErrorCode[]): string | undefined {
  const together: [name: string, group: readonly ErrorCode[]][] = [
    ['body_unusable', BODY_UNUSABLE],
    ['api_key_refused', KEY_REFUSED],
  ];
  const named = grouped(codes, together);
  if (named.length <= MAX_NAMED) return named.join('Or');
  const shorter = grouped(codes, [
    ...together,
    ['idempotency_key_unusable', KEY_UNUSABLE],
    ['second_factor_wanted', FACTOR_WANTED],
  ]);
  return shorter.length > MAX_NAMED ? undefined : shorter.join('Or');
}

/** Replaces each group that is present completely by its name. */
function grouped(
  codes: readonly ErrorCode[],
  groups: readonly [name: string, group: readonly ErrorCode[]][],
): string[] {
  const whole = groups.filter(([, group]) => group.every((code) => codes.includes(code)));
  const nameIn = (code: ErrorCode): string => whole.find(([, group]) => group.includes(code))?.[0] ?? code;
  return [...new Set(codes.map(nameIn))].map(pascalCase);
}

const pascalCase = (code: string): string =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function responseOf<Schema>(access: Access, status: number, codes: readonly ErrorCode[], schema: Schema) {
  const isTemporary = status === 503 || status === 429 || codes.some((code) => TEMPORARY_CONFLICTS.has(code));
  const retry = isTemporary ? { 'Retry-After': headerReference('Retry-After') } : {};
  const isAboutKey = access === 'apiKey' && (status === 401 || codes.includes('scope_missing'));
  const challenge = isAboutKey ? { 'WWW-Authenticate': headerReference('WWW-Authenticate') } : {};
  // Only a request with a valid key counts towards the key's limits.
  const limits = access === 'apiKey' && status !== 401 ? limitHeaders : {};
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorCatalogue[code].title}`).join('\n'),
    headers: { 'Request-Id': headerReference('Request-Id'), ...limits, ...retry, ...challenge },
    content: { 'application/problem+json': { schema } },
  };
}

/** Builds the problem schema for the codes of one status, with the members that a route adds. */
function problemOf(codes: readonly ErrorCode[], members?: z.ZodObject): z.ZodType {
  return z.intersection(problemSchema, z.looseObject({ code: z.enum(codes), ...members?.shape }));
}

function namedProblem(id: string, codes: readonly ErrorCode[]): z.ZodType {
  return namedSchema(id, () => problemOf(codes));
}
