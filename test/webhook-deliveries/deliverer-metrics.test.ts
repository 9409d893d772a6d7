import { Registry } from 'prom-client';
import { openDatabase, type Database } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { createDelivererMetrics } from '../../src/webhook-deliveries/deliverer-metrics';
import { createTestDatabase, type TestDatabase } from '../support/database';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(testDatabase.url('tollgate_deliverer'), {
    max: 1,
    applicationName: 'tollgate-deliver',
    log: createLogger('deliver', 'fatal'),
  });
});
afterAll(async () => {
  await database.destroy();
  await testDatabase.drop();
});

test('a first scrape has every due figure, and every outcome at 0', async () => {
  const registry = new Registry();
  const metrics = createDelivererMetrics(registry, {
    database,
    clock: { now: () => Date.now() },
    underWay: () => 0,
  });
  metrics.attempt('failed', 10);
  const text = await registry.metrics();
  for (const environment of ['sandbox', 'production']) {
    expect(text).toContain(`tollgate_webhook_deliveries_due{environment="${environment}"} 0`);
    expect(text).toContain(`tollgate_webhook_deliveries_oldest_seconds{environment="${environment}"} 0`);
  }
  expect(text).toContain('tollgate_webhook_attempts_total{outcome="failed"} 1');
  expect(text).toContain('tollgate_webhook_attempts_total{outcome="not_sent"} 0');
});
