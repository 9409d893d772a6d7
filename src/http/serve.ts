import type { Context } from 'koa';
import { leaveUncompressed } from './compression';
import type { Authenticators } from './incoming';
import { readCall } from './read-call';
import type { Call, Reply, Route } from './route';

/**
 * One call of a route: who calls, what the request says, the handler, the answer. What is cheap to refuse is refused
 * first, and a body is read only from an authorised caller.
 */
export async function serve(authenticators: Authenticators, route: Route, ctx: Context): Promise<void> {
  if (route.compress === false) leaveUncompressed(ctx);
  const charge = await route.admission?.(ctx);
  const { requestId } = ctx.state as { requestId: string };
  const { req: request, path, querystring, ip } = ctx;
  const params: unknown = ctx['params'];
  const call = await readCall(
    authenticators,
    route,
    { request, path, querystring, params, ip, requestId },
    charge,
  );
  await send(ctx, await route.handle(call as Call<never, never, never, never>));
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
