import Koa from 'koa';
import { listen, readBody } from '../../simulators/core/server';

interface Received {
  path: string;
  body: Buffer;
  headers: Record<string, string | string[] | undefined>;
  rawHeaders: string[];
}

/**
 * Receives webhooks; `answers` are the statuses of the first answers, then 200.
 *
 * @param meanwhile runs before each answer
 * @param port 0 takes a free one
 */
export async function startReceiver(answers: number[] = [], meanwhile?: () => Promise<void>, port = 0) {
  const received: Received[] = [];
  const app = new Koa();
  app.use(async (ctx) => {
    const { headers, rawHeaders } = ctx.req;
    received.push({ path: ctx.path, body: await readBody(ctx), headers, rawHeaders });
    await meanwhile?.();
    ctx.status = answers.shift() ?? 200;
    ctx.body = 'ok';
  });
  return { received, answers, ...(await listen(app, port)) };
}
