import { integer, postgresUrl } from './formats';

/** Database settings: one login for each process, and the number of its connections. */
export const databaseSettings = {
  TOLLGATE_DATABASE_URL: postgresUrl.describe('As `tollgate_app`.'),
  TOLLGATE_DATABASE_WORKER_URL: postgresUrl.describe('As `tollgate_worker`.'),
  TOLLGATE_DATABASE_RELAY_URL: postgresUrl.describe('As `tollgate_relay`.'),
  TOLLGATE_DATABASE_DELIVERER_URL: postgresUrl.describe('As `tollgate_deliverer`.'),
  TOLLGATE_DATABASE_MIGRATOR_URL: postgresUrl.describe('As `tollgate_migrator`.'),
  TOLLGATE_DATABASE_ADMIN_URL: postgresUrl
    .optional()
    .describe(
      'As a superuser, or as the database’s owner with `CREATEROLE`: creates the roles with the passwords of the addresses above, which migrate reads only for this. Omit it if the roles exist.',
    ),
  TOLLGATE_DATABASE_POOL: integer(1, 200)
    .default(10)
    .describe('Connections of a process, 1 to 200; a worker has a third more for sandboxes.'),
  TOLLGATE_USAGE_POOL: integer(1, 64)
    .default(8)
    .describe('Further connections for check and track, 1 to 64.'),
  // At least three: one to look up, one to refuse, one to process.
  TOLLGATE_WEBHOOK_POOL: integer(3, 64)
    .default(6)
    .describe('Further connections for incoming webhooks, 3 to 64.'),
} as const;
