import type { Context } from 'koa';
import { z } from 'zod';
import { TollgateError } from '../domain/errors';
import type { Charge } from '../operators/login-throttle';
import { fingerprintOf, parseIdempotencyKey } from '../idempotency/idempotency-key';
import { readBytesInTime, readJson, refuseBody } from './body';
import { ORDINARY_BODY } from './body-limit';
import { leaveUncompressed } from './compression';
import type { Authenticators, Incoming } from './incoming';
import { parseInput } from './input';
import { shortened } from './json-pointer';
import type { Access, Call, Principals, Reply, Route } from './route';

/** The members of an operator route's query that choose the workspace; they are not the route's own input. */
const WORKSPACE_PARAMETERS = new Set(['organizationId', 'env']);

const OPERATORS: ReadonlySet<Access> = new Set(['session', 'operator', 'platformAdministrator']);

/**
 * One call of a route: who calls, what the request says, the handler, the answer. What is cheap to refuse is refused
 * first, and a body is read only from an authorised caller.
 */
export async function serve(authenticators: Authenticators, route: Route, ctx: Context): Promise<void> {
  if (route.compress === false) leaveUncompressed(ctx);
  const call = await readCall(authenticators, route, ctx, await route.admission?.(ctx));
  await send(ctx, await route.handle(call as Call<never, never, never, never>));
}

async function readCall(
  authenticators: Authenticators,
  route: Route,
  ctx: Context,
  charge: Charge | undefined,
): Promise<Call<unknown, unknown, unknown, unknown>> {
  refuseBrokenAddress(ctx.path);
  refuseLongQuery(ctx.querystring);
  const { requestId } = ctx.state as { requestId: string };
  const incoming: Incoming = {
    headers: ctx.headers,
    query: new URLSearchParams(ctx.querystring),
    method: ctx.method,
    path: ctx.path,
    ip: ctx.ip,
    requestId,
  };
  const before = await authenticate(authenticators, incoming, route);
  const key = idempotencyKeyOf(route, ctx);
  const params = route.params === undefined ? undefined : parseInput(route.params, ctx['params'], 'path');
  const query = parseQuery(route, incoming.query);
  const limit = route.bodyLimit ?? ORDINARY_BODY;
  const body =
    route.body === undefined ? undefined : parseInput(route.body, await readJson(ctx.req, limit), 'body');
  if (route.body === undefined && route.rawBody !== true) await refuseBody(ctx.req, limit);
  // A body may arrive slowly; an operator who has lost the right in the meantime is refused.
  const principal =
    OPERATORS.has(route.access) && route.body !== undefined
      ? await authenticate(authenticators, incoming, route)
      : before;
  const { headers, ip } = ctx;
  const fingerprint = (): Buffer => fingerprintOf(route.method, route.path, params, query, body);
  const idempotency = key === null ? null : { key, fingerprint: fingerprint() };
  const { rawHeaders } = ctx.req;
  const readBytes = (): Promise<Buffer> => readBytesInTime(ctx.req, limit);
  return {
    params,
    query,
    body,
    principal,
    idempotency,
    readBytes,
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

function parseQuery(route: Route, given: URLSearchParams): unknown {
  const members = new Map<string, string | string[]>();
  for (const [name, value] of given) {
    if (route.access === 'operator' && WORKSPACE_PARAMETERS.has(name)) continue;
    const before = members.get(name);
    members.set(name, before === undefined ? value : [before, value].flat());
  }
  if (route.query === undefined) {
    const [unknown] = members.keys();
    if (unknown === undefined) return undefined;
    const name = shortened(unknown, 80);
    throw new TollgateError('validation_failed', `${name} is not a query parameter of this request.`);
  }
  refuseRepeated(route.query, members);
  // Not by assignment, which a parameter named `__proto__` would turn into something else.
  return parseInput(route.query, Object.fromEntries(members), 'query');
}

/** Refuses a known parameter that is repeated, because it is ambiguous; unknown ones are refused by the schema. */
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

function idempotencyKeyOf(route: Route, ctx: Context): string | null {
  if (route.idempotencyKey === undefined) return null;
  return parseIdempotencyKey(headerLines(ctx, 'idempotency-key'), route.idempotencyKey);
}

/** Node joins repeated lines of a header; the raw list still tells them apart. */
function headerLines(ctx: Context, name: string): string[] {
  const joined = ctx.get(name);
  if (joined === '' && ctx.headers[name] === undefined) return [];
  if (!joined.includes(',')) return [joined];
  const raw = ctx.req.rawHeaders;
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

async function send(ctx: Context, reply: Reply): Promise<void> {
  ctx.status = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) ctx.set(name, value);
  if (reply.stream !== undefined && ctx.method !== 'HEAD') {
    ctx.respond = false;
    try {
      await reply.stream(ctx.req, ctx.res);
    } catch (error) {
      ctx.respond = true;
      throw error;
    }
    return;
  }
  if (reply.body === undefined) {
    ctx.body = null;
    ctx.status = reply.status;
    return;
  }
  ctx.body =
    typeof reply.body === 'string' || Buffer.isBuffer(reply.body) ? reply.body : JSON.stringify(reply.body);
  if (reply.headers?.['Content-Type'] === undefined) ctx.type = 'application/json';
}

/** The router would take a broken percent-encoding as it stands, and so make a customer of that name. */
function refuseBrokenAddress(path: string): void {
  if (path.includes('%')) decodeURIComponent(path);
}

/** More parameters than any route has, and than a payment provider adds to the address it sends a customer back to. */
const MOST_PARAMETERS = 100;

function refuseLongQuery(query: string): void {
  let separators = 0;
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) separators += 1;
  if (separators < MOST_PARAMETERS) return;
  throw new TollgateError('validation_failed', `The query has more than ${MOST_PARAMETERS} parameters.`);
}
