import type { Context } from 'koa';
import { TollgateError } from '../domain/errors';
import { fingerprintOf, parseIdempotencyKey } from '../idempotency/idempotency-key';
import { readBytes, readJson, refuseBody } from './body';
import type { Authenticators, Incoming } from './incoming';
import { parseInput } from './input';
import type { Access, Call, Principals, Reply, Route } from './route';

/** The members of an operator route's query that choose the workspace; they are not the route's own input. */
const WORKSPACE_PARAMETERS = new Set(['organizationId', 'env']);

const NO_BYTES = Buffer.alloc(0);

/** One call of a route: who calls, what the request says, the handler, the answer. */
export async function serve(authenticators: Authenticators, route: Route, ctx: Context): Promise<void> {
  refuseBrokenAddress(ctx.path);
  const { requestId } = ctx.state as { requestId: string };
  const incoming: Incoming = {
    headers: ctx.headers,
    query: new URLSearchParams(ctx.querystring),
    method: ctx.method,
    path: ctx.path,
    ip: ctx.ip,
    requestId,
  };
  const principal = await authenticate(authenticators, incoming, route);
  const params = route.params === undefined ? undefined : parseInput(route.params, ctx['params'], 'path');
  const query = parseQuery(route, incoming.query);
  const body = route.body === undefined ? undefined : parseInput(route.body, await readJson(ctx.req), 'body');
  const bytes = route.rawBody === true ? await readBytes(ctx.req) : NO_BYTES;
  if (route.body === undefined && route.rawBody !== true) await refuseBody(ctx.req);
  const call: Call<unknown, unknown, unknown, unknown> = {
    params,
    query,
    body,
    principal,
    idempotency: idempotencyOf(route, ctx, params, query, body),
    bytes,
    headers: ctx.headers,
    rawHeaders: ctx.req.rawHeaders,
    requestId,
    ip: ctx.ip,
  };
  await send(ctx, await route.handle(call as Call<never, never, never, never>));
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
  const members: Record<string, string | string[]> = {};
  for (const name of new Set(given.keys())) {
    if (route.access === 'operator' && WORKSPACE_PARAMETERS.has(name)) continue;
    const values = given.getAll(name);
    members[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  if (route.query !== undefined) return parseInput(route.query, members, 'query');
  const unknown = Object.keys(members)[0];
  if (unknown !== undefined) {
    throw new TollgateError('validation_failed', `${unknown} is not a query parameter of this request.`);
  }
  return undefined;
}

function idempotencyOf(
  route: Route,
  ctx: Context,
  params: unknown,
  query: unknown,
  body: unknown,
): { key: string; fingerprint: Buffer } | null {
  if (route.idempotencyKey === undefined) return null;
  const key = parseIdempotencyKey(headerLines(ctx, 'idempotency-key'), route.idempotencyKey);
  if (key === null) return null;
  return { key, fingerprint: fingerprintOf(route.method, route.path, params, query, body) };
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
  ctx.type = reply.headers?.['Content-Type'] ?? 'application/json';
}

/** The router would take a broken percent-encoding as it stands, and so make a customer of that name. */
function refuseBrokenAddress(path: string): void {
  if (path.includes('%')) decodeURIComponent(path);
}
