import etag from 'etag';
import fresh from 'fresh';
import type { Context } from 'koa';
import { callerAddress } from './caller-address';
import { leaveUncompressed } from './compression';
import type { DirectOptions } from './direct-routes';
import type { PendingAnswer } from './incoming';
import { partProblems } from './problem-answer';
import { readCall } from './read-call';
import type { Call, Reply, Route } from './route';

/**
 * Serves one call of a route: authenticates, validates, handles, answers. Cheap refusals come first, and a body is read
 * only from an authorized caller.
 */
export async function serve(options: DirectOptions, route: Route, ctx: Context): Promise<void> {
  if (route.compress === false) leaveUncompressed(ctx);
  const { req: request, path, querystring } = ctx;
  const ip = callerAddress(request, options.trustedProxies);
  const charge = await route.admission?.({ ip, headers: request.headers });
  const { requestId } = ctx.state as { requestId: string };
  const params: unknown = ctx['params'];
  const answer: PendingAnswer = { headers: {}, release: undefined };
  const problemOf = partProblems(options, { requestId, method: ctx.method, route: route.path });
  const routed = { request, path, querystring, params, ip, requestId, answer, problemOf };
  try {
    const call = await readCall(options.authenticators, route, routed, charge);
    await send(ctx, await route.handle(call as Call<never, never, never, never>), answer);
    if (route.conditional === true) answerConditionally(ctx, route);
  } finally {
    answer.release?.();
    if (!ctx.headerSent) ctx.set(answer.headers);
  }
}

/**
 * Uses a weak ETag, because the same answer may be sent in several encodings (RFC 9110, section 8.8.1). A client may
 * keep the answer, and revalidates it each time. A browser keeps nothing of a customer's page, which has the last tag
 * in its memory: the computer may be shared.
 */
function answerConditionally(ctx: Context, { access }: Route): void {
  const { body } = ctx;
  if (ctx.status !== 200 || typeof body !== 'string') return;
  if (access !== 'portal') ctx.set('Cache-Control', 'private, no-cache');
  const tag = etag(body, { weak: true });
  ctx.set('ETag', tag);
  // Koa's `ctx.fresh` also considers the request's Cache-Control, and fetch adds `no-cache` to each If-None-Match.
  if (fresh({ 'if-none-match': ctx.get('If-None-Match') }, { etag: tag })) ctx.status = 304;
}

async function send(ctx: Context, reply: Reply, answer: PendingAnswer): Promise<void> {
  ctx.status = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) ctx.set(name, value);
  if (reply.stream !== undefined && ctx.method !== 'HEAD') {
    // A stream sends its headers itself.
    ctx.set(answer.headers);
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
