import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { TollgateError } from '../domain/errors';
import { fingerprintOf, parseIdempotencyKey } from '../idempotency/idempotency-key';
import type { Charge } from '../operators/login-throttle';
import { hasBody, readBytesInTime, readJson, refuseBody } from './body';
import { ORDINARY_BODY } from './body-limit';
import type { Authenticators, Incoming, PendingAnswer } from './incoming';
import { readElements } from './list-body';
import type { ProblemAnswer } from './problem-answer';
import { parseInput } from './input';
import { pointerOf, shortened } from './json-pointer';
import type { Access, Call, Principals, Route } from './route';

/** Query parameters of an operator route that select the workspace; they are not the route's own input. */
const WORKSPACE_PARAMETERS = new Set(['organizationId', 'env']);

/** A request matched to a route, not yet validated. */
export interface RoutedRequest {
  request: IncomingMessage;
  path: string;
  querystring: string;
  /** The path's parameters, decoded. */
  params: unknown;
  /** The caller's address. */
  ip: string;
  requestId: string;
  answer: PendingAnswer;
  problemOf: (failure: unknown) => ProblemAnswer;
}

/**
 * Reads and validates a request, cheapest refusals first: its address, authentication, the Idempotency-Key, path and
 * query, and the body last.
 *
 * @throws TollgateError the errors of the route's access and input
 */
export async function readCall(
  authenticators: Authenticators,
  route: Route,
  routed: RoutedRequest,
  charge: Charge | undefined,
): Promise<Call<unknown, unknown, unknown, unknown>> {
  const { request, path, querystring, ip, requestId, answer, problemOf } = routed;
  const { headers, rawHeaders, method = '' } = request;
  refuseBrokenAddress(path);
  refuseLongQuery(querystring);
  const incoming: Incoming = { headers, query: queryOf(querystring), method, path, ip, requestId, answer };
  const identify = (): Promise<Principals[Access]> => authenticate(authenticators, incoming, route);
  const before = await identify();
  const key = idempotencyKeyOf(route, request);
  const params = route.params === undefined ? undefined : parseInput(route.params, routed.params, 'path');
  const query = parseQuery(route, incoming.query);
  const limit = route.bodyLimit ?? ORDINARY_BODY;
  const body =
    route.body === undefined ? undefined : parseInput(route.body, await readJson(request, limit), 'body');
  const { listBody } = route;
  const isReadHere = route.rawBody !== true && listBody === undefined;
  if (route.body === undefined && isReadHere) await refuseBody(request, limit);
  // Authenticates again, because a body may arrive slowly and access may have been revoked in the meantime.
  const principal = isReadHere && hasBody(request) ? await identify() : before;
  const idempotency =
    key === null ? null : { key, fingerprint: fingerprintOf(route.method, route.path, params, query, body) };
  const readBytes = (): Promise<Buffer> => readBytesInTime(request, limit);
  return {
    params,
    query,
    body,
    principal,
    idempotency,
    readBytes,
    readElements: async () => {
      if (listBody === undefined) throw new Error(`${route.operationId} declares no list.`);
      const elements = await readElements(request, listBody);
      await identify();
      return elements;
    },
    reauthenticate: async () => {
      await identify();
    },
    problemOf,
    charge,
    headers,
    rawHeaders,
    requestId,
    ip,
  };
}

async function authenticate(
  authenticators: Authenticators,
  incoming: Incoming,
  route: Route,
): Promise<Principals[Access]> {
  if (route.access === 'public') return null;
  const authenticator = authenticators[route.access];
  if (authenticator === undefined)
    throw new Error(`This host has no authenticator for ${route.access}: ${route.operationId}`);
  return authenticator(incoming, route);
}

/** Most requests have no query, and parsing an empty one costs as much as parsing a real one. */
const NO_QUERY = new URLSearchParams();

function queryOf(querystring: string): URLSearchParams {
  return querystring === '' ? NO_QUERY : new URLSearchParams(querystring);
}

function parseQuery(route: Route, query: URLSearchParams): unknown {
  if (query === NO_QUERY && route.query === undefined) return undefined;
  const members = new Map<string, string | string[]>();
  for (const [name, value] of query) {
    if (route.access === 'operator' && WORKSPACE_PARAMETERS.has(name)) continue;
    const before = members.get(name);
    members.set(name, before === undefined ? value : [before, value].flat());
  }
  if (route.query === undefined) {
    const [unknown] = members.keys();
    if (unknown === undefined) return undefined;
    const name = shortened(unknown, 80);
    const message = 'is not a query parameter of this request';
    const fix = 'Remove it: this request takes none.';
    throw new TollgateError('validation_failed', `${name} ${message}.`, {
      errors: [{ pointer: pointerOf([unknown], '/query'), message, fix }],
    });
  }
  refuseRepeated(route.query, members);
  // Not by assignment, which would treat a parameter named `__proto__` specially.
  return parseInput(route.query, Object.fromEntries(members), 'query');
}

/** Refuses a repeated known parameter as ambiguous; the schema refuses unknown ones. */
function refuseRepeated(schema: z.ZodType, members: ReadonlyMap<string, string | string[]>): void {
  const known = schema instanceof z.ZodObject ? schema.shape : {};
  const repeated = [...members].filter(([name, value]) => Array.isArray(value) && Object.hasOwn(known, name));
  const errors = repeated.map(([name]) => ({
    pointer: `/query/${name}`,
    message: 'is sent more than once',
    fix: 'Send it once.',
  }));
  const [first] = errors;
  if (first === undefined) return;
  throw new TollgateError('validation_failed', `${first.pointer}: ${first.message}`, { errors });
}

function idempotencyKeyOf(route: Route, request: IncomingMessage): string | null {
  if (route.idempotencyKey === undefined) return null;
  return parseIdempotencyKey(headerLines(request, 'idempotency-key'), route.idempotencyKey);
}

/** Returns the header's lines. Node joins repeated ones; only the raw list keeps them separate. */
function headerLines({ headers, rawHeaders }: IncomingMessage, name: string): string[] {
  const joined = headers[name];
  if (joined === undefined) return [];
  if (typeof joined === 'string' && !joined.includes(',')) return [joined];
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/**
 * Refuses a broken percent-encoding, which the router would accept literally, and so create a customer of that name.
 */
function refuseBrokenAddress(path: string): void {
  if (path.includes('%')) decodeURIComponent(path);
}

/** More parameters than any route has, and more than a payment provider adds to a return address. */
const MAX_PARAMETERS = 100;

function refuseLongQuery(query: string): void {
  let separators = 0;
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) separators += 1;
  if (separators < MAX_PARAMETERS) return;
  const message = `has more than ${MAX_PARAMETERS} parameters`;
  throw new TollgateError('validation_failed', `The query ${message}.`, {
    errors: [{ pointer: '/query', message, fix: 'Send fewer.' }],
  });
}
