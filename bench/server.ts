import { Registry } from 'prom-client';
import { createApiKeys } from '../src/api-keys/api-key-service';
import { systemClock } from '../src/clock/system-clock';
import { openDatabase } from '../src/db/pools';
import { createApp } from '../src/http/app';
import { createApiKeyAuthenticator } from '../src/http/auth/api-key-authenticator';
import { usageRoutes } from '../src/http/v1/usage';
import { createKeyLimiter } from '../src/rate-limits/key-limiter';
import { startApiService } from '../src/server/api-service';
import { createProviderAdapters } from '../src/service/provider-adapters';
import { listen } from '../src/server/listener';
import { createHttpMetrics } from '../src/telemetry/http-metrics';
import { createLogger } from '../src/telemetry/logger';
import { createActorFactory } from '../src/clock/actors';
import type { Usage } from '../src/usage/submit-usage';
import { benchSecrets } from './seed';

/**
 * The process under measurement: the real service, and next to it the same HTTP stack (parse, validate, authenticate)
 * with a handler that answers at once. Sends the ports to its parent.
 */
const instantUsage: Usage = {
  submit: (_, call) =>
    Promise.resolve({
      body: `{"status":"access_granted","externalId":"${call.externalId}"}`,
      replayed: false,
    }),
  submitAll: () => Promise.reject(new Error('The stack alone takes no batch.')),
};

async function main(databaseUrl: string): Promise<void> {
  const log = createLogger('bench', 'warn');
  const urls = {
    console: 'http://console.bench',
    sandbox: 'http://sandbox.bench',
    production: 'http://production.bench',
  };
  const service = await startApiService({
    databaseUrl,
    databasePool: 10,
    usagePool: 8,
    webhookPool: 6,
    ...benchSecrets,
    urls,
    listen: { host: '127.0.0.1', console: 0, sandbox: 0, production: 0 },
    trustedProxies: 0,
    providerAdapters: createProviderAdapters(() => systemClock.now()),
    clock: systemClock,
    log,
  });
  const database = openDatabase(databaseUrl, { max: 2, applicationName: 'tollgate-bench-stack', log });
  const { authenticate } = createApiKeys({ database, clock: systemClock, log, ...benchSecrets, urls });
  const stack = createApp({
    host: 'production',
    routes: usageRoutes(instantUsage),
    authenticators: {
      apiKey: createApiKeyAuthenticator(
        'production',
        authenticate,
        createActorFactory(database, systemClock),
        createKeyLimiter({ processes: () => 1, onRefused: () => undefined }),
      ),
    },
    publicUrl: urls.production,
    trustedProxies: 0,
    translateError: (error) => error,
    log,
    metrics: createHttpMetrics(new Registry()),
  });
  const { port } = await listen(stack, '127.0.0.1', 0, urls.production);
  process.send?.({ service: service.ports.production, console: service.ports.console, stack: port });
  process.once('disconnect', () => process.exit(0));
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
