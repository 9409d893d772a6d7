import Koa, { type Context } from 'koa';
import { z, ZodError } from 'zod';
import { readBody } from './core/server';
import { FAULTS, type ProviderName, type SimulatorCore, type WebhookRecord } from './core/types';

/** JSON operations of a provider outside its API: seeding accounts and, if it has them, external actions. */
export type Controls = Record<
  ProviderName,
  { seed: (json: unknown) => unknown; act?: (json: unknown) => unknown }
>;

const provider = z.enum(['a', 'b', 'c']);
const instant = z.union([z.int(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);
const advance = z.strictObject({ to: instant });
const switches = z.strictObject({
  duplicate: z.boolean().optional(),
  reorder: z.boolean().optional(),
  delayMs: z.int().min(0).optional(),
  drop: z.boolean().optional(),
  tamper: z.boolean().optional(),
  wrongEnvironmentUrl: z.url().nullable().optional(),
});
const fault = z.strictObject({
  provider,
  path: z.string(),
  fault: z.enum(FAULTS),
  times: z.int().min(1).optional(),
  delayMs: z.int().min(0).optional(),
});

type Answer = (body: unknown, match: RegExpExecArray) => unknown;

/** Creates the simulators' own control API over HTTP, for tests and people; JSON in and out. */
export function controlApp(core: SimulatorCore, controls: Controls): Koa {
  const routes = controlRoutes(core, controls);
  const app = new Koa();
  app.on('error', () => undefined);
  app.use(async (ctx, next) => {
    // Only a web page sends `Origin`, and no page of ours uses this port: another site's page could move the clock for
    // good.
    if (ctx.method === 'GET' || ctx.headers.origin === undefined) {
      await next();
      return;
    }
    ctx.status = 403;
    ctx.body = { error: 'A web page may not control the simulators.' };
  });
  app.use(async (ctx) => {
    for (const [method, pattern, answer] of routes) {
      const match = method === ctx.method ? pattern.exec(ctx.path) : null;
      if (match !== null) {
        await give(ctx, answer, match);
        return;
      }
    }
    ctx.status = 404;
    ctx.body = {
      error: `There is no route ${ctx.method} ${ctx.path}.`,
      routes: routes.map(([method, { source }]) => `${method} ${source}`),
    };
  });
  return app;
}

function controlRoutes(core: SimulatorCore, controls: Controls): [string, RegExp, Answer][] {
  const { clock, outbox, faults } = core;
  return [
    ['GET', /^\/clock$/, () => ({ now: clock.now() })],
    [
      'POST',
      /^\/clock$/,
      async (body) => {
        await clock.advanceTo(advance.parse(body).to);
        return { now: clock.now() };
      },
    ],
    ['GET', /^\/webhooks$/, () => outbox.deliveries.map(summarize)],
    ['GET', /^\/webhooks\/switches$/, () => outbox.switches],
    ['POST', /^\/webhooks\/switches$/, (body) => Object.assign(outbox.switches, switches.parse(body))],
    [
      'POST',
      /^\/webhooks\/flush$/,
      async () => {
        await outbox.flush();
        return outbox.deliveries.map(summarize);
      },
    ],
    [
      'POST',
      /^\/webhooks\/retry$/,
      async () => {
        await outbox.retryNow();
        return outbox.deliveries.map(summarize);
      },
    ],
    ['POST', /^\/webhooks\/([^/]+)\/resend$/, (_, [, id = '']) => ({ resent: outbox.resend(id) })],
    [
      'POST',
      /^\/faults$/,
      (body) => {
        const rule = fault.parse(body);
        faults.set(rule);
        return rule;
      },
    ],
    [
      'DELETE',
      /^\/faults$/,
      () => {
        faults.clear();
        return { cleared: true };
      },
    ],
    ['POST', /^\/([abc])\/accounts$/, (body, [, name]) => controls[provider.parse(name)].seed(body)],
    [
      'POST',
      /^\/([abc])\/actions$/,
      (body, [, name]) => {
        const { act } = controls[provider.parse(name)];
        if (act === undefined) throw new RangeError('This provider has no actions.');
        return act(body);
      },
    ],
  ];
}

async function give(ctx: Context, answer: Answer, match: RegExpExecArray): Promise<void> {
  try {
    const text = (await readBody(ctx)).toString('utf8');
    const body: unknown = text === '' ? {} : JSON.parse(text);
    ctx.body = (await answer(body, match)) ?? {};
  } catch (error) {
    if (!(error instanceof ZodError || error instanceof RangeError || error instanceof SyntaxError))
      throw error;
    ctx.status = 400;
    ctx.body = { error: error instanceof ZodError ? z.prettifyError(error) : error.message };
  }
}

function summarize({ id, provider: from, event, url, body, attempts }: WebhookRecord): unknown {
  return { id, provider: from, event, url, body: body.toString('utf8'), attempts };
}
