import { openDatabase, type Database } from '../../src/db/pools';
import { DAY_MS } from '../../src/domain/instant';
import { maintain } from '../../src/maintenance/maintain';
import { createLogger } from '../../src/telemetry/logger';
import { trackUntilTaken } from '../support/until-taken';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

describe('an expired reservation', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let worker: Database;
  const log = createLogger('test', 'silent');
  beforeAll(() => {
    worker = openDatabase(usage.service.database.url('tollgate_worker'), {
      max: 1,
      applicationName: 'test',
      log,
    });
  });
  afterAll(() => worker.destroy());

  /** Reserves a unit as if days ago, and runs `maintain`. */
  async function heldAndKept(days: number): Promise<{ externalId: string; reservationId: string }> {
    const { service, api } = usage;
    const anchor = Date.now() - 60 * DAY_MS;
    const { externalId } = await usage.subscribed({ anchor }, { feature: 'ai_tokens', quota: 10 });
    const reserve = { expiresInSeconds: 600 };
    const question = { externalId, feature: 'ai_tokens', quantity: 1, reserve };
    const reservationId = String((await api.send('POST', '/v1/usage/check', question)).body['reservationId']);
    await service.database.query(
      `UPDATE tollgate.usage_reservations SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
        WHERE id = $1`,
      [reservationId, `${days} days`],
    );
    const options = { retentionDays: 90, platformAuditDays: 365, log };
    const migratorUrl = service.database.url('tollgate_migrator');
    await maintain({ ...options, database: worker, migratorUrl }, Date.now());
    return { externalId, reservationId };
  }
  const isKept = async (days: number): Promise<boolean> => {
    const { reservationId } = await heldAndKept(days);
    const query = 'SELECT FROM tollgate.usage_reservations WHERE id = $1';
    return (await usage.service.database.query(query, [reservationId])).length === 1;
  };

  test('is found by its use for as long as the use may be reported', async () => {
    const { externalId, reservationId } = await heldAndKept(34);
    const timestamp = new Date(Date.now() - 34 * DAY_MS).toISOString();
    const use = { reservationId, timestamp };
    expect((await trackUntilTaken(usage.api, externalId, 'ai_tokens', 1, use)).body).toMatchObject({
      recorded: true,
      usage: 1,
    });
    expect(await isKept(36)).toBe(false);
  });

  test('is kept for 30 days where uses may be reported for fewer', async () => {
    await usage.service.database.query('UPDATE tollgate.workspace_settings SET usage_reported_days = 1');
    expect(await isKept(29)).toBe(true);
    expect(await isKept(31)).toBe(false);
  });
});
