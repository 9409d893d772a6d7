import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Clock } from '../clock/system-clock';
import type { ClockFollower } from '../sandbox-clock/simulators-clock';
import type { ConnectionOpening } from '../connections/open-connection';
import { migrationWithoutTemporal, type StartMigration } from '../connections/credential-migration-service';
import { createKeyRing, NO_KEYS, type CredentialKeys } from '../credentials/key-ring';
import { countApiProcesses } from '../credentials/key-ring-store';
import { joinKeyRing } from '../credentials/key-ring-runtime';
import { failureError } from '../db/failure';
import { databaseCounts, pipelinedCounts } from '../db/pool-counts';
import { refuseTransactionPooling } from '../db/pooler-guard';
import { openDatabase, openPipelinedPool } from '../db/pools';
import { refusePrivilegedRole } from '../db/role-guard';
import type { Environment } from '../domain/environment';
import { unavailableCommandSender, type CommandSender } from '../operations/command-sender';
import { createApp } from '../http/app';
import type { RequestHandler } from '../http/direct-routes';
import { createApiKeyAuthenticator } from '../http/auth/api-key-authenticator';
import { createConsoleAuthenticators } from '../http/auth/console-authenticators';
import { refuseForeignOrigins } from '../http/auth/origin-check';
import { createSessionCookie } from '../http/auth/session-cookie';
import { findConsolePage } from '../http/console-page/build-directory';
import { consolePage } from '../http/console-page/console-page';
import { documentationPages, secureHeaders } from '../http/docs/documentation';
import { healthRoutes } from '../http/health';
import { apiRoutes } from '../http/v1/routes';
import { consoleRoutes } from '../http/console/routes';
import { createKeyLimiter } from '../rate-limits/key-limiter';
import { watchProcesses, type LiveProcesses } from '../rate-limits/live-processes';
import { createRefusalReport } from '../rate-limits/refusal-report';
import { createHttpMetrics } from '../telemetry/http-metrics';
import { registerPoolMetrics } from '../telemetry/pool-metrics';
import { createActorFactory } from '../clock/actors';
import { customersPage } from './customers-page';
import { listen, type Listener } from './listener';
import { createReadiness, temporalState } from './readiness';
import { createServices } from '../service/services';
import type { ProviderAdapters } from '../providers/provider-adapter';
import type { AddressRules } from '../domain/webhook-address';
import type { ResolveHost } from '../webhook-endpoints/resolve-host';

export interface ApiServiceOptions {
  databaseUrl: string;
  databasePool: number;
  usagePool: number;
  webhookPool: number;
  apiKeyPepper: string;
  cursorSecret: string;
  urls: { console: string; sandbox: string; production: string };
  listen: { host: string; console: number; sandbox: number; production: number };
  trustedProxies: number;
  /** After `stop()` requests are still accepted until this resolves, while `/readyz` answers 503; by default not at all. */
  drain?: () => Promise<void>;
  /** Takes the metrics of this process; a new one when left out. */
  registry?: Registry;
  /** Where people look at workflows; left out where no UI is configured. */
  temporalUi?: { uiUrl: string; namespace: string } | undefined;
  /** Resolves when Temporal answers, for readiness; undefined where none is configured. */
  pingTemporal?: (() => Promise<unknown>) | undefined;
  /** Left out where there is no Temporal: commands are then refused. */
  commands?: CommandSender;
  /** Seals and opens the secrets of provider connections; without it none can be stored. */
  credentialKeys?: CredentialKeys;
  /** Left out where there is no Temporal. */
  startMigration?: StartMigration;
  providerAdapters?: ProviderAdapters;
  /** Base URLs of simulators to use in place of the providers. */
  providerUrls?: ConnectionOpening['providerUrls'];
  /** Where webhooks to integrators may go; in the public internet alone when left out. */
  webhookRules?: AddressRules;
  /** Finds the addresses of their hosts; by the machine's name servers when left out. */
  resolveHost?: ResolveHost;
  /** Moves the simulators' clock with a sandbox's. */
  clockFollower?: ClockFollower;
  /** For how long a confirmation of the second factor counts; ten minutes when left out. */
  secondFactorFreshMs?: number;
  /** Makes the OpenAPI documents at their first request: most tests read none. By default before the ports open. */
  lazyDocuments?: boolean;
  clock: Clock;
  log: Logger;
}

export interface ApiService {
  /** The ports in use, also where 0 was asked for. */
  ports: { console: number; sandbox: number; production: number };
  metrics: Registry;
  /**
   * Answers 503 on `/readyz`, stops accepting after `drain`, finishes accepted requests, and closes the database. A
   * second call waits for the first.
   */
  stop(): Promise<void>;
}

const SECOND_FACTOR_FRESH_MS = 10 * 60_000;
/** How long idle connections stay open after the port is closed: a load balancer's request may be on its way. */
const LINGER_MS = 1_000;

/**
 * The API process: three hosts over one set of features. Refuses to start on a database role that row-level
 * security does not bind.
 */
export async function startApiService(options: ApiServiceOptions): Promise<ApiService> {
  const { log, clock } = options;
  const database = openDatabase(options.databaseUrl, {
    max: options.databasePool,
    applicationName: 'tollgate-api',
    log,
  });
  const pipelined = openPipelinedPool(options.databaseUrl, {
    max: options.usagePool,
    applicationName: 'tollgate-usage',
    log,
  });
  const webhookDatabase = openDatabase(options.databaseUrl, {
    max: options.webhookPool,
    applicationName: 'tollgate-webhooks',
    log,
  });
  const closeDatabases = async (): Promise<void> => {
    await Promise.all([database.destroy(), webhookDatabase.destroy(), pipelined.end()]);
  };
  const keyRing = createKeyRing(options.credentialKeys ?? NO_KEYS);
  let membership: Awaited<ReturnType<typeof joinKeyRing>> | undefined;
  const listeners: Listener[] = [];
  let processes: LiveProcesses | undefined;
  let draining = false;
  try {
    await refuseTransactionPooling(options.databaseUrl);
    await refusePrivilegedRole(database);
    membership = await joinKeyRing({ database, keyRing, process: 'api', clock, log });
    const { registry = new Registry() } = options;
    const metrics = createHttpMetrics(registry);
    registerPoolMetrics(registry, {
      general: () => databaseCounts(database),
      usage: () => pipelinedCounts(pipelined),
      webhooks: () => databaseCounts(webhookDatabase),
    });
    const readiness = createReadiness(database, options.pingTemporal);
    const health = healthRoutes(() => (draining ? null : readiness()));
    const actorFor = createActorFactory(database, clock);
    const services = createServices({
      database,
      webhookDatabase,
      pipelined,
      actorFor,
      commands: unavailableCommandSender,
      startMigration: migrationWithoutTemporal,
      providerAdapters: {},
      providerUrls: {},
      ...options,
      temporalState: () => temporalState(options.pingTemporal),
      registry,
      keyRing,
    });
    const shared = { translateError: failureError, log, metrics, trustedProxies: options.trustedProxies };
    const live = watchProcesses({ read: () => countApiProcesses(database), log });
    processes = live;
    const limiter = createKeyLimiter({
      processes: () => live.count(),
      onRefused: createRefusalReport({ registry, log, clock }),
    });
    const lazy = options.lazyDocuments ?? false;
    const apiHost = (host: Environment): RequestHandler => {
      const routes = apiRoutes(services, host);
      const portal = customersPage(services, host, { hostUrl: options.urls[host], actorFor });
      if (!portal.isBuilt) log.warn('the customer’s page is not built: run npm run build');
      return createApp({
        ...shared,
        host,
        routes: [...routes, ...portal.routes],
        pages: [health, ...portal.pages, documentationPages('api', routes, { environment: host, lazy })],
        authenticators: {
          apiKey: createApiKeyAuthenticator(host, services.apiKeys.authenticate, actorFor, limiter),
          portal: portal.authenticator,
        },
        before: [portal.walls],
        publicUrl: options.urls[host],
      });
    };
    const operatorRoutes = consoleRoutes(services);
    const directory = findConsolePage();
    if (directory === undefined) log.warn('the console is not built: run npm run build');
    const config = {
      apiUrls: { sandbox: options.urls.sandbox, production: options.urls.production },
      temporal: options.temporalUi ?? null,
    };
    const cookie = createSessionCookie(options.urls.console);
    const hasSession = ({ headers }: { headers: IncomingHttpHeaders }): boolean =>
      cookie.read(headers) !== undefined;
    const builtPage = directory === undefined ? [] : [consolePage(directory, config, hasSession)];
    const consoleHost = createApp({
      ...shared,
      host: 'console',
      routes: operatorRoutes,
      pages: [health, ...builtPage, documentationPages('console', operatorRoutes, { lazy })],
      authenticators: createConsoleAuthenticators({
        sessions: services.operators.sessions,
        memberships: services.memberships,
        cookie,
        actorFor,
        clock,
        secondFactorFreshMs: options.secondFactorFreshMs ?? SECOND_FACTOR_FRESH_MS,
      }),
      before: [secureHeaders, refuseForeignOrigins(options.urls.console)],
      publicUrl: options.urls.console,
    });
    const open = async (app: RequestHandler, host: 'console' | Environment): Promise<number> => {
      const opened = await listen(app, options.listen.host, options.listen[host], options.urls[host]);
      listeners.push(opened);
      return opened.port;
    };
    const ports = {
      console: await open(consoleHost, 'console'),
      sandbox: await open(apiHost('sandbox'), 'sandbox'),
      production: await open(apiHost('production'), 'production'),
    };
    const stop = async (): Promise<void> => {
      draining = true;
      for (const listener of listeners) listener.drain();
      // The load balancer reads /readyz meanwhile and stops sending requests to this process.
      await options.drain?.();
      // Event streams never end, so they are closed before the listeners wait for open connections.
      await Promise.all([services.eventHub.stop(), services.messageStream.hub.stop()]);
      await Promise.all(
        listeners.map((listener) => listener.close(options.drain === undefined ? 0 : LINGER_MS)),
      );
      await services.stop();
      live.stop();
      await membership?.leave();
      await closeDatabases();
    };
    let stopping: Promise<void> | undefined;
    return { ports, metrics: registry, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()));
    processes?.stop();
    await membership?.leave();
    await closeDatabases();
    throw error;
  }
}
