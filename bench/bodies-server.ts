import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Registry } from 'prom-client';
import { mergedSettings, refusePublicSecrets } from '../src/connections/connection-input';
import { createApp } from '../src/http/app';
import { ORDINARY_BODY } from '../src/http/body-limit';
import { consoleRoutes } from '../src/http/console/routes';
import type { Authenticators } from '../src/http/incoming';
import type { Route } from '../src/http/route';
import { apiRoutes } from '../src/http/v1/routes';
import { createProviderAdapters } from '../src/service/provider-adapters';
import { listen } from '../src/server/listener';
import type { Services } from '../src/service/services';
import { createHttpMetrics } from '../src/telemetry/http-metrics';
import { createLogger } from '../src/telemetry/logger';

/** A route that takes a body, as described to the benchmark's client. */
export interface MeasuredRoute {
  name: string;
  port: number;
  method: string;
  path: string;
  bytes: number;
  raw: boolean;
}

/**
 * The process under measurement: every route with the real reading and validation of bodies. Its handlers answer at
 * once, or do what the real ones do with the body before they query the database. Sends the routes to its parent, and
 * on each message the longest time (milliseconds) that the event loop was blocked since the last.
 */
const url = 'http://host.bench';
const nothing: unknown = new Proxy(() => nothing, {
  get: (_, name) => (name === 'urls' ? { console: url, sandbox: url, production: url } : nothing),
});
const services = nothing as Services;
const adapters = createProviderAdapters(() => Date.now(), { sandbox: {}, live: {} });

type Anybody = {
  body: Record<string, unknown>;
  readBytes: () => Promise<Buffer>;
  params: { provider: string };
};
const onBody: Record<string, (call: Anybody) => void | Promise<void>> = {
  createProviderConnection: ({ body }) => {
    const settings = body['settings'] as Record<string, unknown> | undefined;
    refusePublicSecrets('provider_a', { displayName: String(body['displayName']), settings });
    mergedSettings({}, settings);
  },
  receiveWebhook: async ({ readBytes, params }) => {
    const bytes = await readBytes();
    (adapters as Record<string, { readEvent(bytes: Buffer): unknown } | undefined>)[
      params.provider
    ]?.readEvent(bytes);
  },
};

function withoutHandler(route: Route): Route {
  const handle: Route['handle'] = async (call) => {
    try {
      await onBody[route.operationId]?.(call);
    } catch {
      // A refusal is as good an answer.
    }
    return { status: 200, body: {} };
  };
  const answering: Route = { ...route, handle };
  // It would reject the benchmark's own address.
  delete answering.admission;
  return answering;
}

async function main(): Promise<void> {
  const log = createLogger('bench', 'silent');
  const anybody = () => Promise.resolve({ actor: () => Promise.resolve({}) } as never);
  const authenticators: Authenticators = {
    apiKey: anybody,
    session: anybody,
    platformAdministrator: anybody,
    operator: anybody,
  };
  const measured: MeasuredRoute[] = [];
  for (const [host, all] of [
    ['console', consoleRoutes(services)],
    ['sandbox', apiRoutes(services, 'sandbox')],
  ] as const) {
    const app = createApp({
      host,
      routes: all.map(withoutHandler),
      authenticators,
      publicUrl: url,
      trustedProxies: 0,
      translateError: (error) => error,
      log,
      metrics: createHttpMetrics(new Registry()),
    });
    const { port } = await listen(app, '127.0.0.1', 0, url);
    for (const route of all) {
      if (route.body === undefined && route.rawBody !== true) continue;
      const providers = route.path.includes('{provider}')
        ? ['provider_a', 'provider_b', 'provider_c']
        : ['x'];
      for (const value of providers) {
        const path = route.path.replaceAll(/\{\w+\}/g, value);
        const bytes = (route.bodyLimit ?? ORDINARY_BODY).bytes;
        const raw = route.rawBody === true;
        measured.push({
          name: `${route.method} ${path}`,
          port,
          method: route.method.toUpperCase(),
          path,
          bytes,
          raw,
        });
      }
    }
  }
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('message', () => {
    process.send?.({ heldMs: delay.max / 1e6 });
    delay.reset();
  });
  process.once('disconnect', () => process.exit(0));
  process.send?.({ measured });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
