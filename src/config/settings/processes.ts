import { z } from 'zod';
import { integer, name, port, url } from './formats';

/** Settings of how the processes run, listen and answer. */
export const processSettings = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('production')
    .describe(
      'In `production` no process accepts simulated providers. `test` is for the project’s tests: a worker bundles the workflows when it starts instead of running the bundle of the build.',
    ),
  TOLLGATE_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('`fatal` to `trace`, or `silent`.'),
  // 127.0.0.1 unless a deployment sets another address, so that nothing is exposed by accident.
  TOLLGATE_LISTEN_HOST: name.default('127.0.0.1').describe('Address to listen on; the image sets `0.0.0.0`.'),
  TOLLGATE_CONSOLE_PORT: port.default(4000).describe('Port of the console and its API.'),
  TOLLGATE_SANDBOX_PORT: port.default(4001).describe('Port of the sandbox API.'),
  TOLLGATE_PRODUCTION_PORT: port.default(4002).describe('Port of the production API.'),
  TOLLGATE_METRICS_PORT: port.default(4003).describe('Prometheus, `/metrics`.'),
  TOLLGATE_WORKER_METRICS_PORT: port
    .optional()
    .describe('Prometheus, `/metrics` of Temporal’s SDK. Not served if it is not set.'),
  TOLLGATE_HEALTH_PORT: port
    .optional()
    .describe('`/healthz`, `/readyz` and the process’s own `/metrics`. Not served if it is not set.'),
  TOLLGATE_CONSOLE_URL: url.describe(
    'Public address of the console; `https` makes the session cookie `Secure`. Its pages, and those of the next two, only work at the root of a host: under a path, only the API works.',
  ),
  TOLLGATE_SANDBOX_URL: url.describe('Public address of the sandbox API.'),
  TOLLGATE_PRODUCTION_URL: url.describe('Public address of the production API.'),
  TOLLGATE_TRUSTED_PROXIES: integer(0, 5)
    .default(0)
    .describe(
      'Number of trusted proxies in front, which set the client’s address in `X-Forwarded-For`, 0 to 5.',
    ),
  TOLLGATE_DRAIN_SECONDS: integer(0, 300)
    .default(5)
    .describe(
      'How long a stopping api continues to serve while `/readyz` returns 503, 0 to 300: longer than a load balancer needs to detect it. The orchestrator must wait 25 seconds longer before it kills.',
    ),
  TOLLGATE_EVENT_RETENTION_DAYS: integer(1, 3650)
    .default(90)
    .describe(
      'How long developer events and webhooks of payment providers are kept. Webhooks that were applied or ignored are kept for at least 60 days, those that failed or are unmatched until they are applied.',
    ),
  // The database protects thirty days of it from every role.
  TOLLGATE_PLATFORM_AUDIT_RETENTION_DAYS: integer(31, 3650)
    .default(365)
    .describe('How long the platform’s audit is kept, 31 to 3,650.'),
  TOLLGATE_SECOND_FACTOR_MINUTES: integer(1, 720)
    .default(10)
    .describe(
      'How long a confirmed second factor of an operator is valid before it is required again, 1 to 720 minutes.',
    ),
  TOLLGATE_OPERATOR_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The password of the operator that is created or reset.', unset: 'generated' }),
} as const;
