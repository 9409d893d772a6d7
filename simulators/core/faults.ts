import type { Context, Middleware, Next } from 'koa';
import type { Persistence } from './persistence';
import { readBody } from './server';
import type { FaultRule, Faults, ProviderName, SimulatorCore } from './types';

const SLOW_MS = 30_000;
const MAX_EARLIER = 1_000;

export function createFaults(persistence: Persistence): Faults {
  const state = { rules: new Array<FaultRule & { left: number }>(), slowMs: SLOW_MS };
  persistence.keep('faults', state);
  return {
    next: (provider, path) => {
      const rule = state.rules.find((r) => r.left > 0 && r.provider === provider && path.startsWith(r.path));
      if (rule === undefined) return 'none';
      rule.left -= 1;
      state.slowMs = rule.delayMs ?? SLOW_MS;
      persistence.changed();
      return rule.fault;
    },
    set: (rule) => {
      state.rules.push({ ...rule, left: rule.times ?? Infinity });
    },
    clear: () => {
      state.rules = [];
    },
    get slowMs() {
      return state.slowMs;
    },
  };
}

/** A provider's own bodies: of a failure, and of a refusal because there were too many requests. */
interface ErrorBodies {
  failed: unknown;
  tooMany: unknown;
}

/**
 * Applies the fault set for a request. Not executed: `answer_500`, `answer_429`, and `answer_page`, which is a gateway's.
 * Executed: `cut_after_commit`, whose caller never learns the result, `cut_answer`, whose body ends in the middle, and
 * `slow`, which is later than the caller may wait. `answer_stale` answers a read as it was last answered, without what
 * has changed since.
 */
export function meetFaults(core: SimulatorCore, provider: ProviderName, bodies: ErrorBodies): Middleware {
  const earlier = new EarlierAnswers();
  return async (ctx: Context, next: Next) => {
    const fault = core.faults.next(provider, ctx.path);
    switch (fault) {
      case 'answer_500':
        Object.assign(ctx, { status: 500, body: bodies.failed });
        return;
      case 'answer_429':
        ctx.set('Retry-After', '1');
        Object.assign(ctx, { status: 429, body: bodies.tooMany });
        return;
      case 'answer_page':
        Object.assign(ctx, { status: 502, type: 'html', body: '<html><h1>502 Bad Gateway</h1></html>' });
        return;
      case 'answer_stale':
        if (earlier.repeat(ctx)) return;
        break;
      case 'slow':
        // Read before the caller may disconnect: the request is slow, but is still executed.
        await readBody(ctx);
        await pause(core.faults.slowMs);
        break;
      default:
    }
    await next();
    earlier.keep(ctx);
    if (fault === 'cut_answer') cutBody(ctx);
    if (fault === 'cut_after_commit') {
      ctx.respond = false;
      ctx.req.socket.destroy();
    }
  };
}

/** The last answers to reads, in memory only. */
class EarlierAnswers {
  private readonly bodies = new Map<string, string>();

  keep(ctx: Context): void {
    if (ctx.method !== 'GET' || ctx.status !== 200) return;
    this.bodies.delete(ctx.url);
    this.bodies.set(ctx.url, textOf(ctx.body));
    for (const oldest of this.bodies.keys()) {
      if (this.bodies.size <= MAX_EARLIER) break;
      this.bodies.delete(oldest);
    }
  }

  /** @returns whether there was one */
  repeat(ctx: Context): boolean {
    const body = ctx.method === 'GET' ? this.bodies.get(ctx.url) : undefined;
    if (body === undefined) return false;
    Object.assign(ctx, { status: 200, type: 'json', body });
    return true;
  }
}

function cutBody(ctx: Context): void {
  const text = textOf(ctx.body);
  if (text === '') return;
  const { status } = ctx;
  Object.assign(ctx, { type: 'json', body: text.slice(0, text.length / 2), status });
}

function textOf(body: unknown): string {
  if (body === null || body === undefined) return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
