import type { TestDatabase } from './database';
import { testSecrets } from './service';

/**
 * Returns the settings of the service's processes for a test's database. Each process listens on ports that the
 * system chooses, and logs them.
 *
 * @param url the public URLs; by default one where nothing listens, for tests that follow none
 */
export function processSettings(database: TestDatabase, url = 'http://127.0.0.1:1'): Record<string, string> {
  return {
    TOLLGATE_DATABASE_URL: database.url('tollgate_app'),
    TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
    TOLLGATE_DATABASE_RELAY_URL: database.url('tollgate_relay'),
    TOLLGATE_DATABASE_DELIVERER_URL: database.url('tollgate_deliverer'),
    TOLLGATE_DATABASE_MIGRATOR_URL: database.url('tollgate_migrator'),
    TOLLGATE_API_KEY_PEPPER: testSecrets.apiKeyPepper,
    TOLLGATE_CURSOR_SECRET: testSecrets.cursorSecret,
    TOLLGATE_CONSOLE_URL: url,
    TOLLGATE_SANDBOX_URL: url,
    TOLLGATE_PRODUCTION_URL: url,
    TOLLGATE_CONSOLE_PORT: '0',
    TOLLGATE_SANDBOX_PORT: '0',
    TOLLGATE_PRODUCTION_PORT: '0',
    TOLLGATE_METRICS_PORT: '0',
  };
}
