import type Router from '@koa/router';
import type { Context } from 'koa';

/**
 * Whether a process can do its work. Temporal is reported but not required, because check, track and events work
 * without it.
 */
export interface Readiness {
  database: 'reachable' | 'unreachable';
  /** Whether every migration known to this build has run; unknown while the database is unreachable. */
  migrations: 'current' | 'pending' | 'unknown';
  temporal: 'reachable' | 'unreachable' | 'not_configured';
}

/**
 * Adds `/healthz` (the process answers) and `/readyz` (it can do its work; otherwise 503), for load balancers and
 * orchestrators.
 *
 * @param readiness returns null while the process is shutting down: it still answers, and should get no new requests
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
