import type Router from '@koa/router';
import type { Context } from 'koa';

/** Whether a process can do its work. Temporal is reported but not required: check, track and events work without it. */
export interface Readiness {
  database: 'reachable' | 'unreachable';
  /** Whether every migration that this build knows has run; unknown while the database is unreachable. */
  migrations: 'current' | 'pending' | 'unknown';
  temporal: 'reachable' | 'unreachable' | 'not_configured';
}

/**
 * `/healthz`: the process answers. `/readyz`: it can do its work, else 503; for load balancers and orchestrators.
 *
 * @param readiness null while the process is about to end: it still answers, and should get no new requests
 */
export function healthRoutes(readiness: () => Promise<Readiness> | null): (router: Router) => void {
  return (router) => {
    router.get('/healthz', (ctx: Context) => {
      ctx.body = { status: 'ok' };
    });
    router.get('/readyz', async (ctx: Context) => {
      const state = await readiness();
      if (state === null) {
        ctx.status = 503;
        ctx.set('Retry-After', '1');
        ctx.body = { status: 'draining' };
        return;
      }
      const ready = state.database === 'reachable' && state.migrations === 'current';
      ctx.status = ready ? 200 : 503;
      if (!ready) ctx.set('Retry-After', '1');
      ctx.body = { status: ready ? 'ready' : 'not_ready', ...state };
    });
  };
}
