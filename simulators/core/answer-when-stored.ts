import type { Middleware } from 'koa';
import type { Persistence } from './persistence';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Answers a request when all that the answer can tell of is stored. It has to be the first middleware. */
export function answerWhenStored(persistence: Persistence): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      if (!READING.has(ctx.method)) persistence.changed();
      await persistence.stored();
    }
  };
}
