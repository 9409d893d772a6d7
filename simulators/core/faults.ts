import type { Context, Middleware, Next } from 'koa';
import type { Persistence } from './persistence';
import { readBody } from './server';
import type { FaultRule, Faults, ProviderName, SimulatorCore } from './types';

const SLOW_MS = 30_000;

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

/**
 * Applies the fault set for a request. `answer_500` does not execute the request; `cut_after_commit` executes it, and
 * the caller never learns the result; `slow` executes it too, but later than the caller may wait.
 *
 * @param errorBody this provider's body for a 500
 */
export function meetFaults(core: SimulatorCore, provider: ProviderName, errorBody: unknown): Middleware {
  return async (ctx: Context, next: Next) => {
    const fault = core.faults.next(provider, ctx.path);
    if (fault === 'answer_500') {
      ctx.status = 500;
      ctx.body = errorBody;
      return;
    }
    if (fault === 'slow') {
      // Read before the caller may disconnect: the request is slow, but is still executed.
      await readBody(ctx);
      await pause(core.faults.slowMs);
    }
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
