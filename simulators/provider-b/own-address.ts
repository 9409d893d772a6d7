import type { Context } from 'koa';

/** Where the caller has reached the simulator; links that it should follow begin with this. */
export function ownAddress(ctx: Context): string {
  return `${ctx.protocol}://${ctx.host}`;
}
