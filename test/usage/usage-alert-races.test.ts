import { randomUUID } from 'node:crypto';
import { startApiProcess, type ApiProcess } from '../support/api-process';
import { Integrator, type Answer } from '../support/integrator';
import { trackUntilTaken } from '../support/until-taken';
import { alertsOf, notifiedOf } from '../support/usage-alerts';
import { UsageWorkspace } from '../support/usage-workspace';

const TOKENS = 'ai_tokens';

/** An alert is written together with the track that reached it, or not written. */
describe('alerts of tracks that race and crash', () => {
  let usage: UsageWorkspace;
  let other: ApiProcess;
  let apis: Integrator[];

  beforeAll(async () => {
    usage = await UsageWorkspace.start();
    other = await startApiProcess(usage.service.database);
    apis = [usage.api, new Integrator(other.sandboxUrl, usage.workspace.sandboxKey)];
  });
  afterAll(async () => {
    await other.kill('SIGTERM');
    await usage.stop();
  });

  const notified = (customerId: string): Promise<string[]> => notifiedOf(usage.service.database, customerId);
  /** Returns the alerts whose use was not recorded. */
  async function withoutUse(customerId: string): Promise<unknown[]> {
    const ids = (await alertsOf(usage.service.database, customerId)).map(({ data }) => data['eventId']);
    const rows = await usage.service.database.query<{ id: string }>(
      'SELECT id FROM tollgate.usage_events WHERE id = ANY ($1)',
      [ids],
    );
    const recorded = new Set<unknown>(rows.map(({ id }) => id));
    return ids.filter((id) => !recorded.has(id));
  }
  const race = (externalId: string, count: number): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        trackUntilTaken(apis[index % 2] ?? usage.api, externalId, TOKENS),
      ),
    );

  test('fifty tracks at once over two processes notify each percent once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { externalId, customerId } = await usage.customer({
        feature: TOKENS,
        quota: 40,
        enforcement: 'soft',
        alertPercents: [1, 50, 80, 100, 120],
      });
      const answers = await race(externalId, 50);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const alerts = await alertsOf(usage.service.database, customerId);
      // Exactly the track that reaches the threshold: its usage is the first to do so.
      expect(alerts.map(({ data }) => [data.percent, data['usage']])).toEqual([
        [1, 1],
        [50, 20],
        [80, 32],
        [100, 40],
        [120, 48],
      ]);
      expect(await withoutUse(customerId)).toEqual([]);
    }
  });

  test('and low credits once for each grant that comes', async () => {
    const { externalId, customerId } = await usage.customer({ feature: TOKENS, quota: 0, creditCost: 1 });
    for (let grant = 1; grant <= 3; grant += 1) {
      await usage.seed.credits(customerId, 50);
      await race(externalId, 50);
      expect(await notified(customerId)).toEqual(Array.from({ length: grant }, () => 'credits 20'));
    }
  });

  test('a grant that comes while credits run low arms them again', async () => {
    const { externalId, customerId } = await usage.customer({ feature: TOKENS, quota: 0, creditCost: 1 });
    await usage.seed.credits(customerId, 50);
    const grant = async (): Promise<void> => {
      for (let grants = 0; grants < 5; grants += 1) await usage.seed.credits(customerId, 10);
    };
    await Promise.all([race(externalId, 50), grant()]);
    const before = await notified(customerId);
    await race(externalId, 60);
    expect((await usage.api.check(externalId, TOKENS)).body).toMatchObject({ creditBalance: 0 });
    const after = await notified(customerId);
    // Nothing remained of the last grants: whatever came before them, that was notified.
    expect(after.length).toBeGreaterThanOrEqual(Math.max(1, before.length));
    expect(after.length).toBeLessThanOrEqual(6);
    const [unmarked] = await usage.service.database.query<{ count: string }>(
      'SELECT count(*) FROM tollgate.credit_grants WHERE customer_id = $1 AND low_alerted_at IS NULL',
      [customerId],
    );
    expect(unmarked?.count).toBe('0');
  });

  test('a transaction that is rolled back leaves no alert, and its key notifies when it is sent again', async () => {
    const { externalId, customerId } = await usage.customer({ feature: TOKENS, quota: 10, creditCost: 1 });
    await usage.seed.credits(customerId, 10);
    const { database } = usage.service;
    await database.query(
      `CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF NEW.idempotency_key = 'doomed' THEN RAISE 'refused'; END IF; RETURN NEW; END $$`,
    );
    await database.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON tollgate.usage_events FOR EACH ROW EXECUTE FUNCTION public.refuse()',
    );
    try {
      const failed = await usage.api.track(externalId, TOKENS, 19, 'doomed');
      expect(failed.status).toBeGreaterThanOrEqual(500);
    } finally {
      await database.query('DROP TRIGGER refuse ON tollgate.usage_events');
      await database.query('DROP FUNCTION public.refuse');
    }
    expect(await notified(customerId)).toEqual([]);
    expect((await usage.api.track(externalId, TOKENS, 19, 'doomed')).status).toBe(200);
    expect(await notified(customerId)).toEqual(['80 of 10', '100 of 10', 'credits 20']);
  });

  test('a process and backends that are killed under load lose and double no alert', async () => {
    const percents = [1, 10, 20, 30, 40, 50, 60, 70, 80, 90];
    const { externalId, customerId } = await usage.customer({
      feature: TOKENS,
      quota: 300,
      alertPercents: percents,
    });
    const victim = await startApiProcess(usage.service.database);
    const api = new Integrator(victim.sandboxUrl, usage.workspace.sandboxKey);
    const keys = Array.from({ length: 280 }, () => randomUUID());
    const waiting = [...keys];
    let acknowledged = 0;
    const lane = async (): Promise<void> => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
        const answer = await api.track(externalId, TOKENS, 1, key).catch(() => undefined);
        if (answer?.status === 200) acknowledged += 1;
        if (acknowledged === 40) {
          acknowledged += 1;
          await usage.service.database.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tollgate_app' AND datname = current_database()",
          );
        }
        if (acknowledged === 120) await victim.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 20 }, lane));
    await victim.kill('SIGKILL');
    expect(await withoutUse(customerId)).toEqual([]);
    for (let from = 0; from < keys.length; from += 40) {
      const slice = keys.slice(from, from + 40);
      // A pool may notice only now that its connections are closed.
      const answers = await Promise.all(
        slice.map((key) => trackUntilTaken(usage.api, externalId, TOKENS, 1, { key })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    const alerts = await alertsOf(usage.service.database, customerId);
    expect(alerts.map(({ data }) => [data.percent, data['usage']])).toEqual(
      percents.map((percent) => [percent, percent * 3]),
    );
    expect(await withoutUse(customerId)).toEqual([]);
  });
});
