import type { LocalSecrets } from './secrets';
import { simulatorUrls, type SimulatorPorts } from './simulators';

/** Settings chosen by the user who starts the service. */
export interface LocalSettings {
  dataDirectory: string;
  logLevel: string;
  databasePool: number;
  usagePool: number;
  eventRetentionDays: number;
  ports: {
    console: number;
    sandbox: number;
    production: number;
    metrics: number;
    postgres: number;
    simulators: SimulatorPorts;
  };
  /** Temporal's own variables for its server, and the URL of its web page. */
  temporal: { environment: Readonly<Record<string, string>>; uiUrl: string | undefined } | undefined;
}

type Environment = Record<string, string>;

export interface ServiceEnvironments {
  migrate: Environment;
  maintain: Environment;
  demo: Environment;
  api: Environment;
  worker: Environment;
  relay: Environment;
  deliver: Environment;
}

/** Returns the environment of each of the service's processes: what it needs, and no secret of another. */
export function serviceEnvironments(settings: LocalSettings, secrets: LocalSecrets): ServiceEnvironments {
  const { ports, temporal } = settings;
  const database = (role: string, password: string): string =>
    localDatabaseUrl(ports.postgres, role, password);
  const at = (port: number): string => `http://127.0.0.1:${port}`;

  const every = { NODE_ENV: 'development', TOLLGATE_LOG_LEVEL: settings.logLevel };
  const addresses = {
    TOLLGATE_CONSOLE_URL: at(ports.console),
    TOLLGATE_SANDBOX_URL: at(ports.sandbox),
    TOLLGATE_PRODUCTION_URL: at(ports.production),
  };
  const app = { TOLLGATE_DATABASE_URL: database('tollgate_app', secrets.app) };
  const worker = { TOLLGATE_DATABASE_WORKER_URL: database('tollgate_worker', secrets.worker) };
  const relay = { TOLLGATE_DATABASE_RELAY_URL: database('tollgate_relay', secrets.relay) };
  const deliverer = {
    TOLLGATE_DATABASE_DELIVERER_URL: database('tollgate_deliverer', secrets.deliverer),
  };
  // Receivers of webhooks also run on this machine.
  const webhooks = { TOLLGATE_WEBHOOK_LOOPBACK: 'true' };
  const migrator = { TOLLGATE_DATABASE_MIGRATOR_URL: database('tollgate_migrator', secrets.migrator) };
  const retention = { TOLLGATE_EVENT_RETENTION_DAYS: String(settings.eventRetentionDays) };
  const pools = { TOLLGATE_DATABASE_POOL: String(settings.databasePool) };
  const keys = { TOLLGATE_API_KEY_PEPPER: secrets.apiKeyPepper };
  const credentials = { TOLLGATE_CREDENTIAL_KEYS: secrets.credentialKeys };
  const simulators = simulatorUrls(ports.simulators);
  const providers = {
    TOLLGATE_PROVIDER_A_URL: simulators.a,
    TOLLGATE_PROVIDER_B_URL: simulators.b,
    TOLLGATE_PROVIDER_C_URL: simulators.c,
  };
  const workflows: Environment = {
    ...temporal?.environment,
    ...(temporal?.uiUrl !== undefined && { TOLLGATE_TEMPORAL_UI_URL: temporal.uiUrl }),
  };

  return {
    // Creates the roles, with the passwords in their URLs.
    migrate: {
      ...every,
      ...app,
      ...worker,
      ...relay,
      ...deliverer,
      ...migrator,
      TOLLGATE_DATABASE_ADMIN_URL: database('postgres', secrets.postgresSuperuser),
    },
    maintain: { ...every, ...migrator, ...worker, ...retention },
    demo: {
      ...every,
      ...app,
      ...migrator,
      ...keys,
      ...credentials,
      ...addresses,
      ...workflows,
      TOLLGATE_SIMULATOR_A_PORT: String(ports.simulators.a),
      TOLLGATE_SIMULATOR_B_PORT: String(ports.simulators.b),
      TOLLGATE_SIMULATOR_C_PORT: String(ports.simulators.c),
      TOLLGATE_SIMULATOR_CONTROL_PORT: String(ports.simulators.control),
      TOLLGATE_OPERATOR_PASSWORD: secrets.operatorPassword,
      TOLLGATE_DATA_DIR: settings.dataDirectory,
    },
    api: {
      ...every,
      ...app,
      ...pools,
      TOLLGATE_USAGE_POOL: String(settings.usagePool),
      ...keys,
      ...credentials,
      TOLLGATE_CURSOR_SECRET: secrets.cursorSecret,
      ...addresses,
      TOLLGATE_CONSOLE_PORT: String(ports.console),
      TOLLGATE_SANDBOX_PORT: String(ports.sandbox),
      TOLLGATE_PRODUCTION_PORT: String(ports.production),
      TOLLGATE_METRICS_PORT: String(ports.metrics),
      // There is no load balancer in front, and the user who pressed Ctrl-C is waiting.
      TOLLGATE_DRAIN_SECONDS: '0',
      TOLLGATE_SIMULATOR_CONTROL_URL: simulators.control,
      ...webhooks,
      ...providers,
      ...workflows,
    },
    worker: { ...every, ...worker, ...pools, ...credentials, ...addresses, ...providers, ...workflows },
    relay: { ...every, ...relay, ...workflows },
    deliver: { ...every, ...deliverer, ...pools, ...credentials, ...webhooks },
  };
}

/** Returns the URL of the service's database in the embedded cluster, for one of its roles. */
export function localDatabaseUrl(port: number, role: string, password: string): string {
  return `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`;
}

/** The service's database in the embedded cluster. */
export const DATABASE = 'tollgate';
