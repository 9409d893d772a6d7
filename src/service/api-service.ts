import type { Server } from 'node:http';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createApiKeyAuthentication } from '../api-keys/authenticate-api-key';
import type { Clock } from '../clock/clock';
import { openDatabase, openPipelinedPool } from '../db/pools';
import { refusePrivilegedRole } from '../db/role-guard';
import type { Environment } from '../domain/environment';
import { createApp } from '../http/app';
import { createApiKeyAuthenticator } from '../http/auth/api-key-authenticator';
import { apiRoutes } from '../http/v1/routes';
import { consoleRoutes } from '../http/console/routes';
import { createHttpMetrics } from '../telemetry/http-metrics';
import { createActorFactory } from '../tenancy/actors';
import { listen, stopListening } from './listener';
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
  clock: Clock;
  log: Logger;
}

export interface ApiService {
  /** The ports in use, also where 0 was asked for. */
  ports: { console: number; sandbox: number; production: number };
  metrics: Registry;
  /** Stops accepting, finishes what was accepted, closes the database. */
  stop(): Promise<void>;
}

/**
 * The API process: three hosts over one set of features. Refuses to start on a database role that row-level
 * security does not bind.
 */
export async function startApiService(options: ApiServiceOptions): Promise<ApiService> {
  const { log, clock } = options;
  const database = openDatabase(options.databaseUrl, { max: options.databasePool, applicationName: 'tollgate-api', log });
  const pipelined = openPipelinedPool(options.databaseUrl, { max: options.usagePool, applicationName: 'tollgate-usage', log });
  const closeDatabases = async (): Promise<void> => {
    await Promise.all([database.destroy(), pipelined.end()]);
  };
  try {
    await refusePrivilegedRole(database);
    const registry = new Registry();
    const metrics = createHttpMetrics(registry);
    const actorFor = createActorFactory(database, clock);
    const services = createServices({ database, pipelined, actorFor, registry, ...options });
    const authenticateKey = createApiKeyAuthentication({ database, pepper: options.apiKeyPepper, clock, publicUrls: options.urls });
    const shared = { log, metrics, trustedProxies: options.trustedProxies };
    const apiHost = (host: Environment): Koa =>
      createApp({
        ...shared,
        host,
        routes: apiRoutes(services),
        authenticators: { apiKey: createApiKeyAuthenticator(host, authenticateKey, actorFor) },
        publicUrl: options.urls[host],
      });
    const consoleHost = createApp({
      ...shared,
      host: 'console',
      routes: consoleRoutes(services),
      authenticators: {},
      publicUrl: options.urls.console,
    });
    const servers: Server[] = [];
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
    return {
      ports,
      metrics: registry,
      stop: async () => {
        await Promise.all(servers.map(stopListening));
        await services.stop();
        await closeDatabases();
      },
    };
  } catch (error) {
    await closeDatabases();
    throw error;
  }
}
