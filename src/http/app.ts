import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { TollgateError } from '../domain/errors';
import { answerProblems } from './answer-problems';
import { brokenAddress } from './broken-address';
import { compressAnswers } from './compression';
import { directRoutes, type DirectOptions, type RequestHandler } from './direct-routes';
import { shortened } from './json-pointer';
import { serve } from './serve';
import { isHostUnclear } from './unclear-host';

export interface AppOptions extends DirectOptions {
  /** Koa middleware that runs before the routes (security headers, pages). */
  before?: readonly Koa.Middleware[];
  /** Other pages of the host (documentation, health); not part of the described API. */
  pages?: readonly ((router: Router) => void)[];
}

/** Creates one host: its direct routes, and a Koa application for everything else. */
export function createApp(options: AppOptions): RequestHandler {
  const direct = directRoutes(options);
  const koa = createKoa(options).callback();
  const noteProxy = options.trustedProxies === 0 ? warnOfUnknownProxy(options.log) : undefined;
  return (request, response) => {
    noteProxy?.(request);
    const handle = isHostUnclear(request) ? koa : (direct(request) ?? koa);
    return handle(request, response);
  };
}

/** Creates the Koa application: request ids, problems, metrics, and all routes. */
function createKoa(options: AppOptions): Koa {
  const app = new Koa({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies });
  // All failures are answered below; this is Koa's last resort (a socket that broke while an answer was sent).
  app.on('error', (error: unknown) => {
    options.log.debug({ err: error }, 'a connection failed');
  });
  app.use(compressAnswers);
  app.use((ctx, next) => answerProblems(options, ctx, next));
  app.use(refuseUnclearHost);
  app.use(refuseBrokenTarget);
  for (const middleware of options.before ?? []) app.use(middleware);
  const router = new Router();
  for (const addPages of options.pages ?? []) addPages(router);
  for (const route of options.routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    // An address that ends with a slash names a part whose name is empty: it must not read the list of all such parts.
    // Clients resolve `..` in a path, even if it is encoded. What they then send for a part that has this name ends
    // with a slash, too, and must not delete what the part belongs to.
    const strict = route.method === 'get' || route.method === 'delete';
    router.register(path, [route.method], (ctx: Context) => serve(options, route, ctx), { strict });
  }
  app.use(router.routes());
  app.use((ctx) => {
    answerUnrouted(router, ctx);
  });
  return app;
}

/** Refuses a request without exactly one Host header (RFC 9112, section 3.2). */
function refuseUnclearHost({ req }: Context, next: Koa.Next): Promise<void> {
  if (isHostUnclear(req)) {
    throw new TollgateError('request_malformed', 'The request has no Host header, or more than one.');
  }
  return next();
}

/**
 * Refuses an address without a path. Node's parser accepts any address that begins like a URL (`http://`, `http://[`).
 */
function refuseBrokenTarget(ctx: Context, next: Koa.Next): Promise<void> {
  if (pathOf(ctx) === null) {
    throw brokenAddress();
  }
  return next();
}

function pathOf(ctx: Context): string | null {
  try {
    return ctx.path;
  } catch {
    return null;
  }
}

/** Warns once if requests come through a proxy that is not configured: all callers then share its address. */
function warnOfUnknownProxy(log: DirectOptions['log']): (request: IncomingMessage) => void {
  let warned = false;
  return ({ headers }) => {
    if (warned || headers['x-forwarded-for'] === undefined) return;
    warned = true;
    log.warn(
      { setting: 'TOLLGATE_TRUSTED_PROXIES' },
      'a request has X-Forwarded-For, and no proxy is trusted: limits by address count all callers behind it as one',
    );
  };
}

/** In the order used in `Allow`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers requests that no route handled: OPTIONS, a method that is not allowed, or an unknown path. */
function answerUnrouted(router: Router, ctx: Context): void {
  if (ctx.body !== undefined && ctx.body !== null) return;
  const methods = ctx.path === '*' ? METHODS : methodsAt(router, ctx.path);
  const path = shortened(ctx.path, 200);
  // Other methods may accept the slash, and the caller must not try one of them instead.
  if (ctx.path.endsWith('/') && methodsAt(router, ctx.path.slice(0, -1)).includes(ctx.method)) {
    const detail = `There is no route ${ctx.method} ${path}: the address ends with a slash.`;
    throw new TollgateError('route_not_found', detail);
  }
  if (methods.length === 0) {
    throw new TollgateError('route_not_found', `There is no route ${ctx.method} ${path}.`);
  }
  ctx.set('Allow', [...methods, 'OPTIONS'].join(', '));
  if (ctx.method !== 'OPTIONS') {
    const detail = `${path} takes ${methods.join(', ')}, not ${ctx.method}.`;
    throw new TollgateError('method_not_allowed', detail);
  }
  ctx.status = 204;
}

function methodsAt(router: Router, path: string): string[] {
  const known = new Set(router.match(path, '').path.flatMap((layer) => layer.methods));
  return METHODS.filter((method) => known.has(method));
}
