import type { Context, Middleware, Next } from 'koa';
import type { FaultRule, Faults, ProviderName, SimulatorCore } from './types';

const SLOW_MS = 30_000;

export function createFaults(): Faults {
  let rules: (FaultRule & { left: number })[] = [];
  let slowMs = SLOW_MS;
  return {
    next: (provider, path) => {
      const rule = rules.find((r) => r.left > 0 && r.provider === provider && path.startsWith(r.path));
      if (rule === undefined) return 'none';
      rule.left -= 1;
      slowMs = rule.delayMs ?? SLOW_MS;
      return rule.fault;
    },
    set: (rule) => {
      rules.push({ ...rule, left: rule.times ?? Infinity });
    },
    clear: () => {
      rules = [];
    },
    get slowMs() {
      return slowMs;
    },
  };
}

/**
 * Meets a request with the fault that is set for it. `answer_500` does nothing of what was asked; `cut_after_commit`
 * does all of it, and the caller never learns.
 *
 * @param errorBody what this provider answers with a 500
 */
export function meetFaults(core: SimulatorCore, provider: ProviderName, errorBody: unknown): Middleware {
  return async (ctx: Context, next: Next) => {
    const fault = core.faults.next(provider, ctx.path);
    if (fault === 'answer_500') {
      ctx.status = 500;
      ctx.body = errorBody;
      return;
    }
    if (fault === 'slow') await pause(core.faults.slowMs);
    await next();
    if (fault === 'cut_after_commit') {
      ctx.respond = false;
      ctx.req.socket.destroy();
    }
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
