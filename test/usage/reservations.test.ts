import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { decimalFromNumber } from '../../src/domain/decimal';
import { openPipelinedPool } from '../../src/db/pools';
import { systemClock } from '../../src/clock/system-clock';
import { createLogger } from '../../src/telemetry/logger';
import { processBatch } from '../../src/usage/usage-batch';
import { toCheckCall } from '../../src/usage/usage-call';
import { UsageLane } from '../../src/usage/usage-lane';
import { readContext, type ContextRow } from '../../src/usage/usage-context-store';
import { startApiProcess, type ApiProcess } from '../support/api-process';
import { Integrator, type Answer } from '../support/integrator';
import { trackUntilTaken, untilTaken } from '../support/until-taken';
import { sendBatch } from '../support/usage-batches';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';

describe('a check that reserves', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let api: Integrator;
  let apiKey: string;

  beforeAll(async () => {
    apiKey = await createKey(usage.service.database, usage.workspace.sandbox, ['usage', 'read']);
    api = new Integrator(usage.service.urls.sandbox, apiKey);
  });

  const reserve = (
    externalId: string,
    quantity: number,
    expiresInSeconds: unknown = 600,
    by = api,
  ): Promise<Answer> =>
    by.send('POST', '/v1/usage/check', {
      externalId,
      feature: 'ai_tokens',
      quantity,
      reserve: { expiresInSeconds },
    });
  const confirm = (externalId: string, quantity: number, reservation: Answer, by = api): Promise<Answer> =>
    trackUntilTaken(by, externalId, 'ai_tokens', quantity, {
      reservationId: String(reservation.body['reservationId']),
    });
  const release = (reservation: Answer): Promise<Answer> =>
    api.send('DELETE', `/v1/usage/reservations/${String(reservation.body['reservationId'])}`);
  const expire = (reservation: Answer): Promise<unknown> =>
    usage.service.database.query('UPDATE tollgate.usage_reservations SET expires_at = $2 WHERE id = $1', [
      reservation.body['reservationId'],
      new Date(Date.now() - 1_000),
    ]);

  test('holds the quantity: other decisions no longer have it, and say how much is reserved', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const held = await reserve(externalId, 7);
    expect(held.body).toMatchObject({
      allowed: true,
      reserved: 7,
      remaining: 3,
      usage: 0,
      reservationId: expect.stringMatching(/^rsv_/) as unknown,
    });
    expect(Date.parse(String(held.body['reservationExpiresAt'])) - Date.now()).toBeGreaterThan(500_000);
    expect((await api.check(externalId, 'ai_tokens', 4)).body).toMatchObject({ allowed: false, reserved: 7 });
    expect((await api.track(externalId, 'ai_tokens', 3)).body).toMatchObject({ reserved: 7, remaining: 0 });
    const refused = await reserve(externalId, 1);
    expect(refused.body).toMatchObject({ allowed: false, reason: { code: 'quota_exceeded' } });
    expect(refused.body['reservationId']).toBeUndefined();
  });

  test('is confirmed by a track of that or less, once', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const held = await reserve(externalId, 10);
    const used = await confirm(externalId, 6, held);
    expect(used.body).toMatchObject({ usage: 6, reserved: 0, remaining: 4 });
    expect((await confirm(externalId, 1, held)).body).toMatchObject({ code: 'reservation_ended' });
    expect((await release(held)).body).toMatchObject({ code: 'reservation_ended' });
    const shown = await api.send('GET', `/v1/customers/${externalId}/reservations`);
    expect(shown.body).toMatchObject({
      data: [{ quantity: 10, status: 'confirmed', eventId: used.body['eventId'], externalId }],
    });
  });

  test('more than is held is decided for the rest', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const held = await reserve(externalId, 6);
    expect((await confirm(externalId, 11, held)).body).toMatchObject({ code: 'quota_exceeded' });
    // Refused as a whole, so it is still held.
    expect((await api.check(externalId, 'ai_tokens')).body).toMatchObject({ reserved: 6, usage: 0 });
    expect((await confirm(externalId, 10, held)).body).toMatchObject({ usage: 10, reserved: 0 });
  });

  test('is given back, and again without harm; what has expired is free with no job', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const held = await reserve(externalId, 10);
    expect((await release(held)).body).toMatchObject({ status: 'released', quantity: 10 });
    expect((await release(held)).status).toBe(200);
    expect((await confirm(externalId, 1, held)).body).toMatchObject({ code: 'reservation_ended' });
    const expired = await reserve(externalId, 10);
    await expire(expired);
    expect((await api.check(externalId, 'ai_tokens', 10)).body).toMatchObject({ allowed: true, reserved: 0 });
    expect(
      (await api.send('GET', `/v1/usage/reservations/${String(expired.body['reservationId'])}`)).body,
    ).toMatchObject({ status: 'expired', endedAt: null });
    // The work was done, so it is decided like any other use.
    expect((await confirm(externalId, 10, expired)).body).toMatchObject({ usage: 10 });
    expect((await confirm(externalId, 1, expired)).body).toMatchObject({ code: 'reservation_ended' });
  });

  test('holds credits, also of a grant that expires meanwhile', async () => {
    const { externalId, customerId } = await usage.customer(
      { feature: 'ai_tokens', quota: 0, creditCost: 1 },
      { feature: 'exports', quota: 0, creditCost: 1 },
    );
    await usage.seed.credits(customerId, 10, new Date(Date.now() + HOUR_MS));
    const held = await reserve(externalId, 8);
    expect(held.body).toMatchObject({ creditBalance: 2, reserved: 8 });
    expect((await api.check(externalId, 'exports', 3)).body).toMatchObject({ allowed: false, reserved: 0 });
    await usage.service.database.query(
      'UPDATE tollgate.credit_grants SET expires_at = $2 WHERE customer_id = $1',
      [customerId, new Date(Date.now() - 1_000)],
    );
    expect((await confirm(externalId, 8, held)).body).toMatchObject({
      usage: 8,
      deductions: [{ from: 'credits', credits: 8 }],
    });
    expect((await api.track(externalId, 'ai_tokens', 1)).status).toBe(403);
  });

  test('counts in the usage period in which it was held, though that has turned, and though the subscription ended', async () => {
    const anchor = Date.now() - 10 * DAY_MS - HOUR_MS;
    const daily = { feature: 'ai_tokens', quota: 10, resetInterval: 'day' } as const;
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily);
    const held = await reserve(externalId, 6);
    const yesterday = new Date(anchor + 9 * DAY_MS).toISOString();
    // As if it had been reserved a day ago.
    await usage.service.database.query(
      `UPDATE tollgate.usage_reservations SET deductions = replace(deductions::text, $2, $3)::json WHERE id = $1`,
      [held.body['reservationId'], new Date(anchor + 10 * DAY_MS).toISOString(), yesterday],
    );
    expect((await api.check(externalId, 'ai_tokens', 10)).body).toMatchObject({ allowed: true, reserved: 0 });
    await usage.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = $2, next_wake_at = NULL WHERE id = $1`,
      [subscriptionId, new Date()],
    );
    expect((await confirm(externalId, 5, held)).body).toMatchObject({
      deductions: [{ from: 'quota', quantity: 5, subscriptionId }],
    });
    const [counter] = await usage.service.database.query<{ used: string; start: number }>(
      'SELECT quota_used AS used, period_start AS start FROM tollgate.usage_counters WHERE subscription_id = $1',
      [subscriptionId],
    );
    expect(counter).toEqual({ used: '5', start: Date.parse(yesterday) });
  });

  test('is late where the usage period in which it was held is closed', async () => {
    const anchor = Date.now() - 10 * DAY_MS - HOUR_MS;
    const daily = { feature: 'ai_tokens', quota: 10, resetInterval: 'day' } as const;
    const { externalId } = await usage.subscribed({ anchor }, daily);
    const reservations = [await reserve(externalId, 2), await reserve(externalId, 2)];
    const [held, present] = reservations as [Answer, Answer];
    await usage.service.database.query(
      `UPDATE tollgate.usage_reservations SET deductions = replace(deductions::text, $2, $3)::json WHERE id = $1`,
      [held.body['reservationId'], ...[10, 9].map((days) => new Date(anchor + days * DAY_MS).toISOString())],
    );
    const used = await confirm(externalId, 2, held);
    expect(used.body).toMatchObject({ late: true });
    expect((await confirm(externalId, 2, present)).body).toMatchObject({ late: false });
    const listed = await api.send('GET', `/v1/usage/events?late=true&customer=${externalId}`);
    expect(listed.body).toMatchObject({ data: [{ id: used.body['eventId'] }] });
  });

  test('is tried again where the answer to its commit was lost, and holds its units once', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const { database } = usage.service;
    const log = createLogger('test', 'silent');
    const options = { max: 1, applicationName: 'test-lost-commit', log };
    const pool = openPipelinedPool(database.url('tollgate_app'), options);
    const { sandbox } = usage.workspace;
    let tries = 0;
    const lane = new UsageLane(
      async (calls, mode) => {
        const outcomes = await processBatch(pool, systemClock, sandbox, calls, mode);
        tries += 1;
        if (tries === 1) throw new Error('Connection terminated unexpectedly');
        return outcomes;
      },
      () => undefined,
      () => undefined,
      { batchSize: 10, queueLimit: 10, aloneLimit: 1 },
    );
    const question = { externalId, feature: 'ai_tokens', quantity: decimalFromNumber(7) };
    const call = toCheckCall({ ...question, reserve: { expiresInSeconds: 600 } }, 'api', 'req_1');
    const { body } = await lane.submit(call);
    await pool.end();
    expect(tries).toBe(2);
    const answer = JSON.parse(body) as Record<string, unknown>;
    expect(answer).toMatchObject({ allowed: true, reserved: 7, remaining: 3 });
    const held = await api.send('GET', `/v1/customers/${externalId}/reservations`);
    expect(held.body).toMatchObject({ data: [{ id: answer['reservationId'], quantity: 7, status: 'held' }] });
    expect((await api.check(externalId, 'ai_tokens', 3)).body).toMatchObject({ allowed: true, reserved: 7 });
  });

  test('what a late use takes beyond it does not depend on the other events of its batch', async () => {
    const plan = { feature: 'ai_tokens', quota: 10 };
    const anchor = Date.now() - 2 * HOUR_MS;
    const { externalId, customerId, subscriptionId: ended } = await usage.subscribed({ anchor }, plan);
    const added = await usage.seed.plan(`added-to-${externalId}`, [plan]);
    const open = await usage.seed.subscription(customerId, added);
    const held = await reserve(externalId, 4);
    await usage.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = $2, next_wake_at = NULL WHERE id = $1`,
      [ended, new Date()],
    );
    const timestamp = new Date(Date.now() - HOUR_MS / 2).toISOString();
    const use = { externalId, feature: 'ai_tokens', timestamp };
    const results = await sendBatch(api, [
      {
        ...use,
        quantity: 6,
        idempotencyKey: randomUUID(),
        reservationId: String(held.body['reservationId']),
      },
      { ...use, quantity: 9, idempotencyKey: randomUUID() },
    ]);
    // Its balances are those of the open subscription alone, as they are without the second event.
    expect(results[0]?.answer).toMatchObject({ quota: 10, usage: 2, remaining: 8 });
    // The open subscription covers the six, and does not cover the nine.
    const taken = results.map(({ answer }) =>
      (answer?.['deductions'] as { subscriptionId: string; quantity: number }[]).map((one) => [
        one.subscriptionId,
        one.quantity,
      ]),
    );
    expect(taken[0]).toEqual([
      [ended, 4],
      [open, 2],
    ]);
    expect(taken[1]).toEqual([
      [ended, 6],
      [open, 3],
    ]);
    // As alone, the answer shows the balances that it was decided on.
    expect(results[0]?.answer).toMatchObject({ quota: 10, usage: 2, remaining: 8 });
  });

  test('is read once for all features of its customer that a batch asks about', async () => {
    const { externalId, customerId } = await usage.customer(
      { feature: 'ai_tokens', quota: 0, creditCost: 1 },
      { feature: 'exports', quota: 0, creditCost: 1 },
    );
    await usage.seed.credits(customerId, 10);
    await reserve(externalId, 7);
    const pairs = ['exports', 'ai_tokens'].map((feature) => ({ externalId, feature }));
    const { text, values } = readContext(usage.workspace.sandbox, pairs, Date.now());
    const rows = await usage.service.database.query<ContextRow>(text, [...values]);
    expect(rows.map(({ held, credits }) => [held?.length, credits?.length])).toEqual([
      [1, 1],
      [undefined, undefined],
    ]);
    const results = await sendBatch(
      api,
      ['exports', 'ai_tokens', 'exports'].map((feature) => ({
        idempotencyKey: randomUUID(),
        externalId,
        feature,
        quantity: 2,
      })),
    );
    // Seven of ten credits are held.
    expect(results.map(({ status }) => status)).toEqual([200, 403, 403]);
  });

  test('counts in the present period where the interval has changed and both begin at one instant', async () => {
    const { externalId, subscriptionId } = await usage.customer({
      feature: 'ai_tokens',
      quota: 10,
      resetInterval: 'month',
    });
    await api.track(externalId, 'ai_tokens', 3);
    const held = await reserve(externalId, 4);
    await usage.service.database.query(
      `UPDATE tollgate.plan_entitlements SET reset_interval = 'day', updated_at = $2
        WHERE plan_id = (SELECT plan_id FROM tollgate.subscriptions WHERE id = $1)`,
      [subscriptionId, new Date()],
    );
    expect((await confirm(externalId, 6, held)).body).toMatchObject({ usage: 6, remaining: 4, reserved: 0 });
    expect((await api.check(externalId, 'ai_tokens')).body).toMatchObject({ usage: 6, remaining: 4 });
    const counters = await usage.service.database.query(
      `SELECT reset_interval AS of, quota_used::float8 AS used FROM tollgate.usage_counters
        WHERE subscription_id = $1 ORDER BY 1`,
      [subscriptionId],
    );
    expect(counters).toEqual([
      { of: 'day', used: 6 },
      { of: 'month', used: 3 },
    ]);
  });

  test('is refused what makes no sense, with what to do', async () => {
    const { externalId } = await usage.customer(
      { feature: 'ai_tokens', quota: 10 },
      { feature: 'sso', kind: 'boolean' },
    );
    for (const seconds of [0, 86_401, 1.5, '60', null]) {
      expect((await reserve(externalId, 1, seconds)).body).toMatchObject({ code: 'validation_failed' });
    }
    const boolean = { externalId, feature: 'sso', quantity: 1, reserve: { expiresInSeconds: 60 } };
    expect((await api.send('POST', '/v1/usage/check', boolean)).body).toMatchObject({
      code: 'feature_not_metered',
    });
    const made = { body: { reservationId: 'rsv_01jf2k7p3nfqvb9x4z6t8w2s5r' } } as unknown as Answer;
    expect((await confirm(externalId, 1, made)).body).toMatchObject({ code: 'reservation_not_found' });
    const other = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const held = await reserve(other.externalId, 1);
    expect((await confirm(externalId, 1, held)).body).toMatchObject({ code: 'reservation_not_found' });
    const elsewhere = await api.track(other.externalId, 'exports', 1, randomUUID(), {
      reservationId: held.body['reservationId'],
    });
    expect(elsewhere.body).toMatchObject({ code: expect.stringMatching(/feature/) as unknown });
  });

  describe('over two processes', () => {
    let other: ApiProcess;
    let apis: Integrator[];

    beforeEach(async () => {
      other = await startApiProcess(usage.service.database);
      apis = [api, new Integrator(other.sandboxUrl, apiKey)];
    });
    afterEach(() => other.kill('SIGKILL'));

    test('a thousand holders of one balance never exceed it, though one process is killed', async () => {
      const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 700 });
      let answered = 0;
      const ask = async (index: number): Promise<Answer | undefined> => {
        const answer = await reserve(externalId, 1, 600, apis[index % 2]).catch(() => undefined);
        answered += 1;
        if (answered === 300) await other.kill('SIGKILL');
        return answer;
      };
      const answers = await Promise.all(Array.from({ length: 1_000 }, (_, index) => ask(index)));
      const held = answers.filter((answer) => answer?.body['reservationId'] !== undefined);
      const [rows] = await usage.service.database.query<{ count: string }>(
        `SELECT count(*) FROM tollgate.usage_reservations r JOIN tollgate.customers c ON c.id = r.customer_id
          WHERE c.external_id = $1`,
        [externalId],
      );
      // Some reservations may be held although their answer was lost with the process; they expire.
      expect(held.length).toBeLessThanOrEqual(Number(rows?.count));
      expect(Number(rows?.count)).toBeLessThanOrEqual(700);
      const confirmed = await Promise.all(
        held.slice(0, 100).map((one) => confirm(externalId, 1, one ?? ({ body: {} } as Answer))),
      );
      expect(confirmed.map(({ status }) => status)).toEqual(confirmed.map(() => 200));
      expect((await api.check(externalId, 'ai_tokens')).body).toMatchObject({
        usage: 100,
        reserved: Number(rows?.count) - 100,
        remaining: 700 - Number(rows?.count),
      });
    });

    test('reserving, tracking, confirming and releasing at once: never above the limit, and exact', async () => {
      const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 60 });
      const hold = async (index: number): Promise<number> => {
        const by = apis[index % 2] ?? api;
        const held = await untilTaken(() => reserve(externalId, 1 + (index % 5), 600, by));
        if (held.body['reservationId'] === undefined) return 0;
        if (index % 3 === 0) {
          expect((await untilTaken(() => release(held))).status).toBe(200);
          return 0;
        }
        const used = await confirm(externalId, 1 + (index % 2), held, by);
        if (used.status === 200) return 1 + (index % 2);
        // More than is held, and no more remains: the reservation is still held.
        expect((await untilTaken(() => release(held))).status).toBe(200);
        return 0;
      };
      const track = async (index: number): Promise<number> =>
        (await trackUntilTaken(apis[index % 2] ?? api, externalId, 'ai_tokens')).status === 200 ? 1 : 0;
      const used = await Promise.all(
        Array.from({ length: 200 }, (_, index) => (index % 4 === 0 ? track(index) : hold(index))),
      );
      const total = used.reduce((sum, units) => sum + units, 0);
      expect(total).toBeLessThanOrEqual(60);
      expect((await api.check(externalId, 'ai_tokens')).body).toMatchObject({ usage: total, reserved: 0 });
    });
  });
});
