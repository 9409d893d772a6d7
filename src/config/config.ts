import { z } from 'zod';

/**
 * The configuration, one schema for every process. This folder is the only reader of process.env, and only
 * entry points (src/main) call it.
 */
const port = z.coerce.number().int().min(0).max(65535);
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'is not a postgres:// address');
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));
const secret = z.string().min(32, 'needs at least 32 characters');

const WORKER_QUEUES = [
  'billing-production',
  'billing-sandbox',
  'providers-production',
  'providers-sandbox',
] as const;

function queuesOf(name: string): string[] {
  return name === 'billing' || name === 'providers' ? [`${name}-production`, `${name}-sandbox`] : [name];
}

const shape = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  TOLLGATE_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** 127.0.0.1 unless a deployment says otherwise: nothing is exposed by accident. */
  TOLLGATE_LISTEN_HOST: z.string().min(1).default('127.0.0.1'),
  TOLLGATE_CONSOLE_PORT: port.default(4000),
  TOLLGATE_SANDBOX_PORT: port.default(4001),
  TOLLGATE_PRODUCTION_PORT: port.default(4002),
  TOLLGATE_METRICS_PORT: port.default(4003),
  /** Where the worker shows its metrics; without it, it shows none. */
  TOLLGATE_WORKER_METRICS_PORT: port.optional(),
  /** The addresses that integrators and operators use: in errors, links and the documentation. */
  TOLLGATE_CONSOLE_URL: url,
  TOLLGATE_SANDBOX_URL: url,
  TOLLGATE_PRODUCTION_URL: url,
  TOLLGATE_DATABASE_URL: postgresUrl,
  TOLLGATE_DATABASE_WORKER_URL: postgresUrl,
  TOLLGATE_DATABASE_RELAY_URL: postgresUrl,
  TOLLGATE_DATABASE_MIGRATOR_URL: postgresUrl,
  /** Only `migrate` reads it, to make the roles; a deployment whose roles exist leaves it out. */
  TOLLGATE_DATABASE_ADMIN_URL: postgresUrl.optional(),
  TOLLGATE_DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  TOLLGATE_USAGE_POOL: z.coerce.number().int().min(1).max(64).default(8),
  /** Not fewer than three: what is looked up, what is refused, and what is processed. */
  TOLLGATE_WEBHOOK_POOL: z.coerce.number().int().min(3).max(64).default(6),
  /** Keys the HMAC under which API keys are stored: changing it revokes every key. */
  TOLLGATE_API_KEY_PEPPER: secret,
  /** Signs cursors: changing it invalidates pages that are being read. */
  TOLLGATE_CURSOR_SECRET: secret,
  /** `id:base64` of 32 bytes, joined by commas: what seals the secrets of provider connections. */
  TOLLGATE_CREDENTIAL_KEYS: z.string().min(1).optional(),
  /** The same from a file, one a line. */
  TOLLGATE_CREDENTIAL_KEYS_FILE: z.string().min(1).optional(),
  /** Which of them writes in a database where none has written yet. */
  TOLLGATE_CREDENTIAL_ACTIVE_KEY: z.string().min(1).optional(),
  /** Simulators in place of the payment providers; refused in production mode. */
  TOLLGATE_SIMULATOR_CONTROL_URL: url.optional(),
  TOLLGATE_PROVIDER_A_URL: url.optional(),
  TOLLGATE_PROVIDER_B_URL: url.optional(),
  TOLLGATE_PROVIDER_C_URL: url.optional(),
  /** What a connection may ask of its provider, in each process; without them, as in src/providers/connection-limits. */
  TOLLGATE_PROVIDER_CALLS_AT_ONCE: z.coerce.number().int().min(1).max(1_000).optional(),
  TOLLGATE_PROVIDER_CALLS_WAITING: z.coerce.number().int().min(0).max(100_000).optional(),
  TOLLGATE_PROVIDER_CALLS_A_SECOND_SANDBOX: z.coerce.number().int().min(1).max(10_000).optional(),
  TOLLGATE_PROVIDER_CALLS_A_SECOND_LIVE: z.coerce.number().int().min(1).max(10_000).optional(),
  TOLLGATE_PROVIDER_CALLS_LONGEST_WAIT_SECONDS: z.coerce.number().int().min(1).max(60).optional(),
  TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(18).optional(),
  /** What `operator:create` gives the operator; left out, one is generated. */
  TOLLGATE_OPERATOR_PASSWORD: z.string().min(1).optional(),
  /** How many proxies in front of the service may name the client's address in X-Forwarded-For. */
  TOLLGATE_TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
  /** How long an api that is asked to end serves on while `/readyz` says so: longer than a load balancer takes to look. */
  TOLLGATE_DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(5),
  TOLLGATE_EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  /** The database keeps thirty days of it from everybody. */
  TOLLGATE_PLATFORM_AUDIT_RETENTION_DAYS: z.coerce.number().int().min(31).max(3650).default(365),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d+$/, 'is not host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  /** Which task queues a worker takes from; `billing` and `providers` stand for those of both environments. */
  TOLLGATE_WORKER_QUEUES: z.preprocess(
    (value) =>
      typeof value === 'string' ? value.split(',').flatMap((name) => queuesOf(name.trim())) : value,
    z
      .array(z.enum(WORKER_QUEUES))
      .min(1)
      .default([...WORKER_QUEUES]),
  ),
  /** Temporal's Worker Versioning, for deployments that use it: both or neither. */
  TEMPORAL_WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[^.]+$/, 'must not hold a dot')
    .optional(),
  TEMPORAL_WORKER_BUILD_ID: z.string().min(1).optional(),
  TOLLGATE_TEMPORAL_UI_URL: url.optional(),
  TOLLGATE_DATA_DIR: z.string().min(1).default('.data'),
  /** Of the servers that `npm start` runs itself. */
  TOLLGATE_POSTGRES_PORT: port.default(4010),
  TOLLGATE_TEMPORAL_PORT: port.default(4020),
  TOLLGATE_TEMPORAL_UI_PORT: port.default(4021),
  TOLLGATE_SIMULATOR_A_PORT: port.default(4030),
  TOLLGATE_SIMULATOR_B_PORT: port.default(4031),
  TOLLGATE_SIMULATOR_C_PORT: port.default(4032),
  TOLLGATE_SIMULATOR_CONTROL_PORT: port.default(4033),
  /** The `temporal` program that `npm start` runs; its script finds or builds one. */
  TEMPORAL_CLI_PATH: z.string().min(1).optional(),
} as const;

type Shape = typeof shape;
export type Setting = keyof Shape;
export type Config<Name extends Setting> = { [Key in Name]: z.output<Shape[Key]> };

/** A start-up error that names each variable that is missing or wrong. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/**
 * Reads the settings that a process needs, and no others, so that each holds only its own secrets.
 *
 * @throws ConfigurationError naming every variable that is missing or wrong, never its value
 */
export function readConfig<const Names extends readonly Setting[]>(
  names: Names,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config<Names[number]> {
  const wanted = Object.fromEntries(names.map((name) => [name, shape[name]])) as unknown as Pick<
    Shape,
    Names[number]
  >;
  // An empty variable is how compose files and shells spell "not set".
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = z.object(wanted).safeParse(given);
  if (result.success) return result.data as unknown as Config<Names[number]>;
  const lines = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return given[name] === undefined ? `${name} is not set` : `${name}: ${issue.message}`;
  });
  throw new ConfigurationError(`The configuration is not complete:\n  ${lines.join('\n  ')}`);
}

/**
 * One setting that a process can do without; undefined when it is not set.
 *
 * @throws ConfigurationError when it is set and wrong
 */
export function readSetting<const Name extends Setting>(
  name: Name,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config<Name>[Name] | undefined {
  const given = environment[name];
  return given === undefined || given === '' ? undefined : readConfig([name], environment)[name];
}
