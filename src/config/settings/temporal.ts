import { z } from 'zod';
import { integer, name, path, port, url } from './formats';

const WORKER_QUEUES = [
  'billing-production',
  'billing-sandbox',
  'providers-production',
  'providers-sandbox',
] as const;

/** Expands `billing` and `providers` to the queues of both environments. */
function queuesOf(queue: string): string[] {
  return queue === 'billing' || queue === 'providers' ? [`${queue}-production`, `${queue}-sandbox`] : [queue];
}

/** Settings of Temporal and of the worker. */
export const temporalSettings = {
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d+$/, { error: 'is not host:port', abort: true })
    .refine((text) => Number(/\d+$/.exec(text)?.[0]) <= 65_535, 'has a port that is more than 65535')
    .optional()
    .describe(
      '`host:port`. Required for worker and relay, unless a profile contains it. Without it, the api answers commands on subscriptions with 503, and verify does not check workflows.',
    ),
  TEMPORAL_NAMESPACE: name
    .optional()
    .meta({ description: 'Temporal’s namespace.', unset: 'that of the profile, or `default`' }),
  TEMPORAL_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('API key for Temporal Cloud, sent with every call. It turns TLS on.'),
  TEMPORAL_TLS: z
    .enum(['true', 'false', '1', '0'])
    .optional()
    .describe('`true` for TLS without a client certificate; the settings that follow turn TLS on, too.'),
  TEMPORAL_TLS_CLIENT_CERT_PATH: path
    .optional()
    .describe('A file (PEM) with the client certificate, read when the process starts.'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: path.optional().describe('A file (PEM) with its private key.'),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: path.optional().meta({
    description: 'A file (PEM) with the certificate authority of the server’s certificate.',
    unset: 'the system’s authorities, or Node’s',
  }),
  TEMPORAL_TLS_CLIENT_CERT_DATA: path.optional().describe('The certificate itself, instead of its path.'),
  TEMPORAL_TLS_CLIENT_KEY_DATA: path.optional().describe('The same for the key.'),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: path.optional().describe('The same for the authority.'),
  TEMPORAL_TLS_SERVER_NAME: name
    .optional()
    .meta({ description: 'The name in the server’s certificate.', unset: 'that of the address' }),
  TEMPORAL_CONFIG_FILE: path
    .optional()
    .describe('A file (TOML) of profiles, as Temporal’s CLI writes it. The variables above take precedence.'),
  TEMPORAL_PROFILE: path.optional().meta({
    description:
      'A profile of that file, or of `~/.config/temporalio/temporal.toml`. If neither is set, no file is read.',
    unset: '`default`',
  }),
  TOLLGATE_WORKER_QUEUES: z
    .preprocess(
      (value) =>
        typeof value === 'string'
          ? [...new Set(value.split(',').flatMap((queue) => queuesOf(queue.trim())))]
          : value,
      z
        .array(z.enum(WORKER_QUEUES))
        .min(1)
        .default([...WORKER_QUEUES]),
    )
    .meta({
      description:
        'The task queues that it polls, such as `billing-sandbox,providers-sandbox`; a name without an environment means both.',
      unset: '`billing,providers`',
    }),
  // The hourly sweep picks up work that is more than five minutes late.
  TOLLGATE_RENEWAL_SPREAD_SECONDS: integer(0, 240)
    .default(0)
    .describe(
      'The time over which simultaneous renewals in production are spread, 0 to 240. Set the same value for every worker.',
    ),
  TEMPORAL_WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[^.\s]+$/, 'must not hold a dot or a blank')
    .optional()
    .describe(
      'Temporal’s Worker Versioning: the deployment, without a dot. Set it together with the next one.',
    ),
  TEMPORAL_WORKER_BUILD_ID: name.optional().describe('Temporal’s Worker Versioning: this build.'),
  TOLLGATE_TEMPORAL_UI_URL: url
    .optional()
    .describe('Base URL of Temporal’s web UI, to which the console links; `npm start` sets it to its own.'),
} as const;

/** Settings of `npm start`, on one machine. */
export const embeddedSettings = {
  TOLLGATE_DATA_DIR: path.default('.data').describe('Where the embedded servers keep their data.'),
  TOLLGATE_API_KEY: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The sandbox key that `npm run listen` reads with.', unset: 'that of `npm start`' }),
  TOLLGATE_POSTGRES_PORT: port.default(4010).describe('Port of the embedded Postgres.'),
  TOLLGATE_TEMPORAL_PORT: port.default(4020).describe('Port of the embedded Temporal.'),
  TOLLGATE_TEMPORAL_UI_PORT: port.default(4021).describe('Port of its web UI.'),
  TOLLGATE_SIMULATOR_A_PORT: port.default(4030).describe('Simulated provider A.'),
  TOLLGATE_SIMULATOR_B_PORT: port.default(4031).describe('The same for B.'),
  TOLLGATE_SIMULATOR_C_PORT: port.default(4032).describe('The same for C.'),
  TOLLGATE_SIMULATOR_CONTROL_PORT: port
    .default(4033)
    .describe('Where the simulators’ clock, webhooks and faults are controlled.'),
  TEMPORAL_CLI_PATH: path.optional().meta({ description: 'A `temporal` program.', unset: 'found' }),
} as const;
