import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createActorFactory } from '../clock/actors';
import type { Clock } from '../clock/system-clock';
import { migrationWithoutTemporal, type StartMigration } from '../connections/credential-migration-service';
import type { ConnectionOpening } from '../connections/open-connection';
import { createKeyRing, NO_KEYS, type CredentialKeys } from '../credentials/key-ring';
import { joinKeyRing } from '../credentials/key-ring-runtime';
import { countApiProcesses } from '../credentials/key-ring-store';
import { refuseTransactionPooling } from '../db/pooler-guard';
import { refuseWrongRole } from '../db/role-guard';
import type { AddressRules } from '../domain/webhook-address';
import { unavailableCommandSender, type CommandSender } from '../operations/command-sender';
import type { ProviderAdapters } from '../providers/provider-adapter';
import { createKeyLimiter } from '../rate-limits/key-limiter';
import { watchProcesses, type LiveProcesses } from '../rate-limits/live-processes';
import { createRefusalReport } from '../rate-limits/refusal-report';
import type { ClockFollower } from '../sandbox-clock/simulators-clock';
import { createServices } from '../service/services';
import type { ResolveHost } from '../webhook-endpoints/resolve-host';
import { closeApiDatabases, measureApiDatabases, openApiDatabases } from './api-databases';
import { createHosts, type Hosts } from './api-hosts';
import { listen, type Listener } from './listener';
import { createReadiness, temporalState } from './readiness';
import { MINUTE_MS } from '../domain/instant';

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
  /**
   * After `stop()`, requests are still accepted until this resolves, while `/readyz` answers 503. By default there is
   * no such phase.
   */
  drain?: () => Promise<void>;
  /** Registry for the metrics of this process; a new one if omitted. */
  registry?: Registry;
  /** Where people view workflows; omitted if no UI is configured. */
  temporalUi?: { uiUrl: string; namespace: string } | undefined;
  /** Resolves when Temporal answers, for readiness; undefined if none is configured. */
  pingTemporal?: (() => Promise<unknown>) | undefined;
  /** Omitted if there is no Temporal: commands are then refused. */
  commands?: CommandSender;
  /** Seals and opens the secrets of provider connections. Without it none can be stored. */
  credentialKeys?: CredentialKeys;
  /** Omitted if there is no Temporal. */
  startMigration?: StartMigration;
  providerAdapters: ProviderAdapters;
  /** Base URLs of simulators to use in place of the providers. */
  providerUrls?: ConnectionOpening['providerUrls'];
  /** Where webhooks to integrators may be sent; only to public addresses if omitted. */
  webhookRules?: AddressRules;
  /** Resolves their host names; by the machine's name servers if omitted. */
  resolveHost?: ResolveHost;
  /** Advances the simulators' clock with a sandbox's. */
  clockFollower?: ClockFollower;
  /** How long a confirmation of the second factor is valid; ten minutes if omitted. */
  secondFactorFreshMs?: number;
  /**
   * Builds the OpenAPI documents at their first request, because most tests read none. By default they are built before
   * the ports open.
   */
  lazyDocuments?: boolean;
  clock: Clock;
  log: Logger;
}

export interface ApiService {
  /** The ports in use, chosen by the system if 0 was requested. */
  ports: { console: number; sandbox: number; production: number };
  metrics: Registry;
  /**
   * Answers 503 on `/readyz`, stops accepting requests after `drain`, finishes accepted ones, and closes the database.
   * A second call waits for the first.
   */
  stop(): Promise<void>;
}

const SECOND_FACTOR_FRESH_MS = 10 * MINUTE_MS;
/**
 * How long idle connections stay open after the port is closed, because a load balancer's request may be in transit.
 */
const LINGER_MS = 1_000;

/**
 * Starts the API process: three hosts over one set of features. Refuses to start with a database role that bypasses
 * row-level security.
 */
export async function startApiService(options: ApiServiceOptions): Promise<ApiService> {
  const { log, clock, registry = new Registry() } = options;
  const databases = openApiDatabases(options);
  const { database } = databases;
  const keyRing = createKeyRing(options.credentialKeys ?? NO_KEYS);
  const listeners: Listener[] = [];
  let membership: Awaited<ReturnType<typeof joinKeyRing>> | undefined;
  let live: LiveProcesses | undefined;
  let draining = false;
  try {
    await refuseTransactionPooling(options.databaseUrl);
    await refuseWrongRole(database, 'tollgate_app');
    membership = await joinKeyRing({ database, keyRing, process: 'api', clock, log });
    const processes = watchProcesses({ read: () => countApiProcesses(database), log });
    live = processes;
    measureApiDatabases(databases, registry);
    const actorFor = createActorFactory(database, clock);
    const services = createServices({
      ...databases,
      actorFor,
      commands: unavailableCommandSender,
      startMigration: migrationWithoutTemporal,
      providerUrls: {},
      ...options,
      temporalState: () => temporalState(options.pingTemporal),
      registry,
      keyRing,
    });
    const readiness = createReadiness(database, options.pingTemporal, log);
    const hosts = createHosts({
      ...options,
      services,
      actorFor,
      limiter: createKeyLimiter({
        processes: () => processes.count(),
        onRefused: createRefusalReport({ registry, log, clock }),
      }),
      readiness: () => (draining ? null : readiness()),
      registry,
      secondFactorFreshMs: options.secondFactorFreshMs ?? SECOND_FACTOR_FRESH_MS,
      lazyDocuments: options.lazyDocuments ?? false,
    });
    const open = async (host: keyof Hosts): Promise<number> => {
      const opened = await listen(hosts[host], options.listen.host, options.listen[host], options.urls[host]);
      listeners.push(opened);
      return opened.port;
    };
    const ports = {
      console: await open('console'),
      sandbox: await open('sandbox'),
      production: await open('production'),
    };
    const stop = async (): Promise<void> => {
      draining = true;
      for (const listener of listeners) listener.drain();
      // In the meantime, the load balancer reads /readyz and stops sending requests to this process.
      await options.drain?.();
      // Event streams never end on their own, so they are closed before the listeners wait for open connections.
      await Promise.all([services.eventHub.stop(), services.messageStream.hub.stop()]);
      await Promise.all(
        listeners.map((listener) => listener.close(options.drain === undefined ? 0 : LINGER_MS)),
      );
      await services.stop();
      processes.stop();
      await membership?.leave();
      await closeApiDatabases(databases);
    };
    let stopping: Promise<void> | undefined;
    return { ports, metrics: registry, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()));
    live?.stop();
    await membership?.leave();
    await closeApiDatabases(databases);
    throw error;
  }
}
