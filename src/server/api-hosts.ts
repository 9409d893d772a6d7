import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { createActorFactory } from '../clock/actors';
import type { Clock } from '../clock/system-clock';
import { failureError } from '../db/failure';
import type { Environment } from '../domain/environment';
import { createApp } from '../http/app';
import { createApiKeyAuthenticator } from '../http/auth/api-key-authenticator';
import { createConsoleAuthenticators } from '../http/auth/console-authenticators';
import { refuseForeignOrigins } from '../http/auth/origin-check';
import { createSessionCookie } from '../http/auth/session-cookie';
import { findConsolePage } from '../http/console-page/build-directory';
import { consolePage } from '../http/console-page/console-page';
import { consoleRoutes } from '../http/console/routes';
import type { RequestHandler } from '../http/direct-routes';
import { documentationPages, secureHeaders } from '../http/docs/documentation';
import { healthRoutes, type Readiness } from '../http/health';
import { apiRoutes } from '../http/v1/routes';
import type { KeyLimiter } from '../rate-limits/key-limiter';
import type { Services } from '../service/services';
import { createHttpMetrics } from '../telemetry/http-metrics';
import { customersPage } from './customers-page';

/** The three hosts of the service, with their request handlers. */
export type Hosts = Record<'console' | Environment, RequestHandler>;

export interface HostsOptions {
  services: Services;
  urls: { console: string; sandbox: string; production: string };
  trustedProxies: number;
  actorFor: ReturnType<typeof createActorFactory>;
  limiter: KeyLimiter;
  /** Null while the process is draining. */
  readiness: () => Promise<Readiness> | null;
  registry: Registry;
  /** Where people view workflows; omitted if no UI is configured. */
  temporalUi?: { uiUrl: string; namespace: string } | undefined;
  secondFactorFreshMs: number;
  /** Builds the OpenAPI documents at their first request. */
  lazyDocuments: boolean;
  clock: Clock;
  log: Logger;
}

/** Creates the console's host and the two hosts of the API over one set of features. */
export function createHosts(options: HostsOptions): Hosts {
  const { log, trustedProxies } = options;
  const shared: SharedParts = {
    health: healthRoutes(options.readiness),
    app: {
      translateError: failureError,
      log,
      metrics: createHttpMetrics(options.registry),
      trustedProxies,
    },
  };
  return {
    console: consoleHost(options, shared),
    sandbox: apiHost('sandbox', options, shared),
    production: apiHost('production', options, shared),
  };
}

/** Parts shared by the hosts. */
interface SharedParts {
  health: ReturnType<typeof healthRoutes>;
  app: Pick<Parameters<typeof createApp>[0], 'translateError' | 'log' | 'metrics' | 'trustedProxies'>;
}

function apiHost(host: Environment, options: HostsOptions, { app, health }: SharedParts): RequestHandler {
  const { services, urls, actorFor, lazyDocuments: lazy } = options;
  const routes = apiRoutes(services, host);
  const portal = customersPage(services, host, { hostUrl: urls[host], actorFor });
  if (!portal.isBuilt) options.log.warn('the customer’s page is not built: run npm run build');
  return createApp({
    ...app,
    host,
    routes: [...routes, ...portal.routes],
    pages: [health, ...portal.pages, documentationPages('api', routes, { environment: host, lazy })],
    authenticators: {
      apiKey: createApiKeyAuthenticator(host, services.apiKeys.authenticate, actorFor, options.limiter),
      portal: portal.authenticator,
    },
    before: [portal.walls],
    publicUrl: urls[host],
  });
}

function consoleHost(options: HostsOptions, { app, health }: SharedParts): RequestHandler {
  const { services, urls, actorFor, clock, secondFactorFreshMs, lazyDocuments: lazy } = options;
  const routes = consoleRoutes(services);
  const cookie = createSessionCookie(urls.console);
  return createApp({
    ...app,
    host: 'console',
    routes,
    pages: [health, ...builtConsole(options, cookie), documentationPages('console', routes, { lazy })],
    authenticators: createConsoleAuthenticators({
      sessions: services.operators.sessions,
      memberships: services.memberships,
      cookie,
      actorFor,
      clock,
      secondFactorFreshMs,
    }),
    before: [secureHeaders, refuseForeignOrigins(urls.console)],
    publicUrl: urls.console,
  });
}

/** Returns the console's own page, if it is built. */
function builtConsole(
  { urls, temporalUi, log }: HostsOptions,
  cookie: ReturnType<typeof createSessionCookie>,
) {
  const directory = findConsolePage();
  if (directory === undefined) {
    log.warn('the console is not built: run npm run build');
    return [];
  }
  const { sandbox, production } = urls;
  const config = { apiUrls: { sandbox, production }, temporal: temporalUi ?? null };
  const hasSession = ({ headers }: { headers: IncomingHttpHeaders }): boolean =>
    cookie.read(headers) !== undefined;
  return [consolePage(directory, config, hasSession)];
}
