import type { Context } from 'koa';

/** Returns the address at which the caller reached the simulator, for links that it should follow. */
export function ownAddress(ctx: Context): string {
  return `${ctx.protocol}://${ctx.host}`;
}
