import type { Server } from 'node:http';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Clock } from '../clock/clock';
import type { ClockFollower } from '../clock/simulators-clock';
import type { ProviderAdapters } from '../connections/connections';
import type { ConnectionOpening } from '../connections/open-connection';
import { migrationWithoutTemporal, type StartMigration } from '../connections/provider-credentials';
import { createKeyRing, NO_KEYS, type CredentialKeys } from '../credentials/key-ring';
import { joinKeyRing } from '../credentials/key-ring-runtime';
import { failureError } from '../db/failure';
import { databaseCounts, pipelinedCounts } from '../db/pool-counts';
import { openDatabase, openPipelinedPool } from '../db/pools';
import { refusePrivilegedRole } from '../db/role-guard';
import type { Environment } from '../domain/environment';
import { commandsWithoutTemporal, type SubscriptionCommands } from '../operations/commands';
import { createApp } from '../http/app';
import { createApiKeyAuthenticator } from '../http/auth/api-key-authenticator';
import { createConsoleAuthenticators } from '../http/auth/console-authenticators';
import { refuseForeignOrigins } from '../http/auth/origin-check';
import { createSessionCookie } from '../http/auth/session-cookie';
import { documentationPages, secureHeaders } from '../http/docs/documentation';
import { healthRoutes } from '../http/health';
import { apiRoutes } from '../http/v1/routes';
import { consoleRoutes } from '../http/console/routes';
import { createHttpMetrics } from '../telemetry/http-metrics';
import { registerPoolMetrics } from '../telemetry/pool-metrics';
import { createActorFactory } from '../tenancy/actors';
import { listen, stopListening } from './listener';
import { createReadiness } from './readiness';
import { createServices } from './services';

export interface ApiServiceOptions {
  databaseUrl: string;
  databasePool: number;
  usagePool: number;
  apiKeyPepper: string;
  cursorSecret: string;
  urls: { console: string; sandbox: string; production: string };
  listen: { host: string; console: number; sandbox: number; production: number };
  trustedProxies: number;
  /** Where Temporal is, for readiness; undefined where there is none. */
  temporalAddress?: string | undefined;
  /** The way to the subscriptions' workflows; left out where there is no Temporal. */
  commands?: SubscriptionCommands;
  /** What opens and seals the secrets of provider connections; without it none can be stored. */
  credentialKeys?: CredentialKeys;
  /** Left out where there is no Temporal. */
  startMigration?: StartMigration;
  providerAdapters?: ProviderAdapters;
  /** Simulators in place of providers. */
  providerUrls?: ConnectionOpening['providerUrls'];
  /** Whoever keeps time beside the sandboxes. */
  clockFollower?: ClockFollower;
  clock: Clock;
  log: Logger;
}

export interface ApiService {
  /** The ports in use, also where 0 was asked for. */
  ports: { console: number; sandbox: number; production: number };
  metrics: Registry;
  /** Stops accepting, finishes what was accepted, closes the database. A second call waits for the first. */
  stop(): Promise<void>;
}

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
  const closeDatabases = async (): Promise<void> => {
    await Promise.all([database.destroy(), pipelined.end()]);
  };
  const keyRing = createKeyRing(options.credentialKeys ?? NO_KEYS);
  let membership: Awaited<ReturnType<typeof joinKeyRing>> | undefined;
  const servers: Server[] = [];
  try {
    await refusePrivilegedRole(database);
    membership = await joinKeyRing({ database, keyRing, process: 'api', clock, log });
    const registry = new Registry();
    const metrics = createHttpMetrics(registry);
    registerPoolMetrics(registry, {
      general: () => databaseCounts(database),
      usage: () => pipelinedCounts(pipelined),
    });
    const health = healthRoutes(createReadiness(database, options.temporalAddress));
    const actorFor = createActorFactory(database, clock);
    const services = createServices({
      database,
      pipelined,
      actorFor,
      registry,
      commands: commandsWithoutTemporal,
      startMigration: migrationWithoutTemporal,
      providerAdapters: {},
      providerUrls: {},
      ...options,
      keyRing,
    });
    const shared = { translateError: failureError, log, metrics, trustedProxies: options.trustedProxies };
    const apiHost = (host: Environment): Koa => {
      const routes = apiRoutes(services, host);
      return createApp({
        ...shared,
        host,
        routes,
        pages: [health, documentationPages('api', routes, { home: false })],
        authenticators: { apiKey: createApiKeyAuthenticator(host, services.apiKeys.authenticate, actorFor) },
        publicUrl: options.urls[host],
      });
    };
    const operatorRoutes = consoleRoutes(services);
    const consoleHost = createApp({
      ...shared,
      host: 'console',
      routes: operatorRoutes,
      pages: [health, documentationPages('console', operatorRoutes, { home: true })],
      authenticators: createConsoleAuthenticators({
        sessions: services.operators.sessions,
        memberships: services.memberships,
        cookie: createSessionCookie(options.urls.console),
        actorFor,
        clock,
      }),
      before: [secureHeaders, refuseForeignOrigins(options.urls.console)],
      publicUrl: options.urls.console,
    });
    const open = async (app: Koa, port: number): Promise<number> => {
      const opened = await listen(app, options.listen.host, port);
      servers.push(opened.server);
      return opened.port;
    };
    const ports = {
      console: await open(consoleHost, options.listen.console),
      sandbox: await open(apiHost('sandbox'), options.listen.sandbox),
      production: await open(apiHost('production'), options.listen.production),
    };
    const stop = async (): Promise<void> => {
      // Streams have no end of their own: they go first, or the servers would wait for them.
      await services.eventHub.stop();
      await Promise.all(servers.map(stopListening));
      await services.stop();
      await membership?.leave();
      await closeDatabases();
    };
    let stopping: Promise<void> | undefined;
    return { ports, metrics: registry, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await Promise.all(servers.map(stopListening));
    await membership?.leave();
    await closeDatabases();
    throw error;
  }
}
