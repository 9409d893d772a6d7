import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import { TollgateError, isTollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { fingerprintOf, parseIdempotencyKey } from '../idempotency/idempotency-key';
import type { HttpMetrics } from '../telemetry/http-metrics';
import { readJson } from './body';
import { parseInput } from './input';
import { problemOf } from './problem';
import type { Access, Call, Principals, Reply, Route } from './route';

/** What a request shows before it is parsed; authenticators decide on this. */
export interface Incoming {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: URLSearchParams;
  method: string;
  path: string;
  ip: string;
  requestId: string;
}

/** Proves who calls, for each kind of access that a host offers; each throws a TollgateError or answers. */
export type Authenticators = {
  [A in Exclude<Access, 'public'>]?: (incoming: Incoming, route: Route) => Promise<Principals[A]>;
};

export interface AppOptions {
  /** Which of the three hosts this is, for metrics and logs. */
  host: 'console' | 'sandbox' | 'production';
  routes: readonly Route[];
  authenticators: Authenticators;
  /** The host's own public address, under which `/docs/errors` opens. */
  publicUrl: string;
  trustedProxies: number;
  log: Logger;
  metrics: HttpMetrics;
  /** Says an infrastructure failure (the database is away) in our codes; anything else comes back as it is. */
  translateError: (error: unknown) => unknown;
  /** Koa middleware that runs before the routes (security headers, pages). */
  before?: readonly Koa.Middleware[];
  /** What a host serves beside its routes (documentation, health); not part of the described API. */
  pages?: readonly ((router: Router) => void)[];
}

/** The members of an operator route's query that choose the workspace; they are not the route's own input. */
const WORKSPACE_PARAMETERS = new Set(['organizationId', 'env']);

/** One host's Koa application: request ids, problems, metrics, and its routes. */
export function createApp(options: AppOptions): Koa {
  const app = new Koa({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies });
  // Every failure is answered below; this is Koa's last resort (a socket that broke while an answer was sent).
  app.on('error', (error: unknown) => {
    options.log.debug({ err: error }, 'a connection failed');
  });
  app.use((ctx, next) => answerProblems(options, ctx, next));
  for (const middleware of options.before ?? []) app.use(middleware);
  const router = new Router();
  for (const addPages of options.pages ?? []) addPages(router);
  for (const route of options.routes) {
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], (ctx: Context) =>
      serve(options, route, ctx),
    );
  }
  app.use(router.routes());
  app.use((ctx) => {
    refuseUnrouted(router, ctx);
  });
  return app;
}

async function answerProblems(options: AppOptions, ctx: Context, next: Koa.Next): Promise<void> {
  const started = process.hrtime.bigint();
  const requestId = newIdentifier('request');
  (ctx.state as { requestId: string }).requestId = requestId;
  ctx.set('Request-Id', requestId);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  try {
    await next();
  } catch (error) {
    answerProblem(options, ctx, requestId, options.translateError(error));
  }
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  options.metrics.observe(options.host, routeName(ctx), ctx.status, seconds);
}

function answerProblem(options: AppOptions, ctx: Context, requestId: string, error: unknown): void {
  const problem = toTollgateError(error);
  if (problem.status >= 500) {
    const level = problem.status === 503 ? 'warn' : 'error';
    options.log[level](
      { err: error, requestId, method: ctx.method, route: routeName(ctx) },
      'a request failed',
    );
  }
  ctx.status = problem.status;
  if (problem.retryAfter !== undefined) ctx.set('Retry-After', String(problem.retryAfter));
  // The console's sessions are cookies, for which HTTP has no scheme.
  if (problem.status === 401 && options.host !== 'console') ctx.set('WWW-Authenticate', 'Bearer');
  ctx.body = JSON.stringify(problemOf(problem, requestId, options.publicUrl));
  ctx.type = 'application/problem+json';
  // A body that was refused unread would otherwise be read as the next request on this connection.
  if (!ctx.req.complete) ctx.set('Connection', 'close');
}

function toTollgateError(error: unknown): TollgateError {
  if (isTollgateError(error)) return error;
  // What the client did to the URL (a broken percent-encoding), as Koa and its router report it.
  if (error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)) {
    return new TollgateError('validation_failed', 'The address of the request is not a valid URL.');
  }
  return new TollgateError('internal_error', 'Something went wrong on our side. Nothing was recorded.');
}

/** The router would take a broken percent-encoding as it stands, and so make a customer of that name. */
function refuseBrokenAddress(path: string): void {
  if (path.includes('%')) decodeURIComponent(path);
}

async function serve(options: AppOptions, route: Route, ctx: Context): Promise<void> {
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
  const principal = await authenticate(options.authenticators, incoming, route);
  const params = route.params === undefined ? undefined : parseInput(route.params, ctx['params'], 'path');
  const query = parseQuery(route, incoming.query);
  const body = route.body === undefined ? undefined : parseInput(route.body, await readJson(ctx.req), 'body');
  const call: Call<unknown, unknown, unknown, unknown> = {
    params,
    query,
    body,
    principal,
    idempotency: idempotencyOf(route, ctx, params, query, body),
    headers: ctx.headers,
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

function refuseUnrouted(router: Router, ctx: Context): void {
  if (ctx.body !== undefined && ctx.body !== null) return;
  const { path: layers } = router.match(ctx.path, ctx.method);
  const methods = [...new Set(layers.flatMap((layer) => layer.methods))].filter(
    (method) => method !== 'HEAD',
  );
  if (methods.length > 0) {
    ctx.set('Allow', methods.join(', '));
    throw new TollgateError(
      'method_not_allowed',
      `${ctx.path} takes ${methods.join(', ')}, not ${ctx.method}.`,
    );
  }
  throw new TollgateError('route_not_found', `There is nothing at ${ctx.method} ${ctx.path}.`);
}

function routeName(ctx: Context): string {
  return typeof ctx['_matchedRoute'] === 'string' ? ctx['_matchedRoute'] : 'unmatched';
}
