import Koa from 'koa';
import { listen, readBody } from '../../simulators/core/server';

interface Received {
  path: string;
  body: Buffer;
  headers: Record<string, string | string[] | undefined>;
  rawHeaders: string[];
}

/** Takes webhooks in; `answers` are the statuses of the next ones, then 200. */
export async function startReceiver(answers: number[] = []) {
  const received: Received[] = [];
  const app = new Koa();
  app.use(async (ctx) => {
    const { headers, rawHeaders } = ctx.req;
    received.push({ path: ctx.path, body: await readBody(ctx), headers, rawHeaders });
    ctx.status = answers.shift() ?? 200;
    ctx.body = 'ok';
  });
  return { received, answers, ...(await listen(app, 0)) };
}
