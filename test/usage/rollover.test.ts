import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { startApiProcess } from '../support/api-process';
import type { EntitlementSeed } from '../support/catalogue';
import { dataOf } from '../support/billing';
import { Integrator, type Answer } from '../support/integrator';
import { logIn } from '../support/operator';
import { trackUntilTaken } from '../support/until-taken';
import { sendBatch } from '../support/usage-batches';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';

/** Quotas of ten a day; the subscription began three and a half days ago. */
describe('quota that was not used', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let api: Integrator;
  let apiKey: string;
  let now: number;
  let anchor: number;

  beforeAll(async () => {
    apiKey = await createKey(usage.service.database, usage.workspace.sandbox, ['usage', 'read']);
    api = new Integrator(usage.service.urls.sandbox, apiKey);
    now = Date.now();
    anchor = now - 3 * DAY_MS - 12 * HOUR_MS;
  });

  const daily = (rollover: EntitlementSeed['rollover'], more: Partial<EntitlementSeed> = {}) => ({
    feature: 'ai_tokens',
    quota: 10,
    resetInterval: 'day' as const,
    ...(rollover === undefined ? {} : { rollover }),
    ...more,
  });
  const check = async (externalId: string, quantity = 1) =>
    (await api.check(externalId, 'ai_tokens', quantity)).body;
  const track = (externalId: string, quantity: number, daysAgo?: number): Promise<Answer> =>
    api.track(
      externalId,
      'ai_tokens',
      quantity,
      randomUUID(),
      daysAgo === undefined ? {} : { timestamp: new Date(now - daysAgo * DAY_MS).toISOString() },
    );
  const columns = (subscriptionId: string) =>
    usage.service.database.query(
      `SELECT extract(epoch FROM period_start)::float8 * 1000 AS start, quota_used::float8 AS used,
              rollover_used::float8 AS rollover, used_later::float8 AS later
         FROM tollgate.usage_counters WHERE subscription_id = $1 ORDER BY period_start`,
      [subscriptionId],
    );

  test('stays for as many periods as the entitlement says, and is a source of its own', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily({ periods: 2 }));
    expect(await check(externalId)).toMatchObject({ quota: 10, remaining: 30, rollover: 20, usage: 0 });
    const used = await track(externalId, 25);
    expect(used.body).toMatchObject({ usage: 25, remaining: 5, rollover: 5 });
    expect(used.body['deductions']).toMatchObject([
      { from: 'quota', quantity: 10, subscriptionId },
      { from: 'rollover', quantity: 10, subscriptionId },
      { from: 'rollover', quantity: 5, subscriptionId },
    ]);
    expect(await columns(subscriptionId)).toEqual([
      { start: anchor + DAY_MS, used: 0, rollover: 0, later: 10 },
      { start: anchor + 2 * DAY_MS, used: 0, rollover: 0, later: 5 },
      { start: anchor + 3 * DAY_MS, used: 10, rollover: 15, later: 0 },
    ]);
    expect((await track(externalId, 6)).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 5)).body).toMatchObject({ remaining: 0, rollover: 0 });
  });

  test('stays for none where the entitlement does not say so, up to a maximum, and is used first where it says so', async () => {
    const none = await usage.subscribed({ anchor }, daily(undefined));
    expect(await check(none.externalId)).toMatchObject({ remaining: 10, rollover: 0 });
    const some = await usage.subscribed({ anchor }, daily({ periods: 3, max: 4, first: true }));
    expect(await check(some.externalId)).toMatchObject({ remaining: 14, rollover: 4 });
    const used = await track(some.externalId, 6);
    expect(used.body['deductions']).toMatchObject([
      { from: 'rollover', quantity: 4 },
      { from: 'quota', quantity: 2 },
    ]);
    expect(await check(some.externalId)).toMatchObject({ remaining: 8, rollover: 0 });
  });

  test('a use that is reported late takes it from those after it, and finds what they have used of its own', async () => {
    const { externalId } = await usage.subscribed({ anchor }, daily({ periods: 2 }));
    await track(externalId, 7, 1);
    expect(await check(externalId)).toMatchObject({ rollover: 13 });
    await track(externalId, 22);
    // Used: all ten units left two days ago, and two of the three left yesterday. Three days ago left ten that either
    // day may use.
    expect((await track(externalId, 11, 2)).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 10, 2)).body['deductions']).toMatchObject([
      { from: 'rollover', quantity: 10 },
    ]);
    expect((await track(externalId, 2, 1)).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 1, 1)).body).toMatchObject({ late: true, usage: 8, remaining: 0 });
    expect(await check(externalId)).toMatchObject({ remaining: 0, rollover: 0 });
  });

  test('is taken back to the period that it came from, and held there', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily({ periods: 1 }));
    const used = await track(externalId, 18);
    const reverse = (quantity: number) =>
      api.send(
        'POST',
        `/v1/usage/events/${String(used.body['eventId'])}/reverse`,
        { reason: 'r', quantity },
        { 'Idempotency-Key': randomUUID() },
      );
    expect((await reverse(5)).body).toMatchObject({ returned: [{ from: 'rollover', quantity: 5 }] });
    expect(await columns(subscriptionId)).toMatchObject([{ later: 3 }, { used: 10, rollover: 3 }]);
    const reserve = { expiresInSeconds: 600 };
    const held = await api.send('POST', '/v1/usage/check', {
      externalId,
      feature: 'ai_tokens',
      quantity: 6,
      reserve,
    });
    expect(held.body).toMatchObject({ allowed: true, reserved: 6, rollover: 1, remaining: 1 });
    expect((await track(externalId, 2)).status).toBe(403);
    const { reservationId } = held.body;
    const confirmed = await api.track(externalId, 'ai_tokens', 6, randomUUID(), { reservationId });
    expect(confirmed.body).toMatchObject({ usage: 19, reserved: 0, rollover: 1 });
  });

  test('is of the quota as it was: before more seats, another plan, another entitlement', async () => {
    const seated = await usage.subscribed({ anchor, seats: 1 }, daily({ periods: 3 }, { perSeat: true }));
    const { database } = usage.service;
    await database.query('UPDATE tollgate.subscriptions SET seats = 5, updated_at = $2 WHERE id = $1', [
      seated.subscriptionId,
      new Date(now - 1.1 * DAY_MS),
    ]);
    // One seat until a day and a half ago, then five.
    expect(await check(seated.externalId)).toMatchObject({ quota: 50, rollover: 10 + 10 + 50 });

    const moved = await usage.subscribed({ anchor }, daily({ periods: 3 }));
    const larger = await usage.seed.plan('rollover-larger', [daily({ periods: 3 }, { quota: 100 })]);
    await database.query('UPDATE tollgate.subscriptions SET plan_id = $2, updated_at = $3 WHERE id = $1', [
      moved.subscriptionId,
      larger.planId,
      new Date(now - HOUR_MS),
    ]);
    expect(await check(moved.externalId)).toMatchObject({ quota: 100, rollover: 30 });

    const edited = await usage.subscribed({ anchor }, daily(undefined));
    await database.query(
      `UPDATE tollgate.plan_entitlements e SET rollover_periods = 3, updated_at = $2
         FROM tollgate.subscriptions s WHERE s.id = $1 AND e.plan_id = s.plan_id`,
      [edited.subscriptionId, new Date(now - 1.1 * DAY_MS)],
    );
    // Units unused before did not roll over at that time.
    expect(await check(edited.externalId)).toMatchObject({ rollover: 10 });

    const shifted = await usage.subscribed({ anchor }, daily({ periods: 3 }));
    await database.query(
      'UPDATE tollgate.subscriptions SET billing_anchor = billing_anchor + $2::interval, updated_at = $3 WHERE id = $1',
      [shifted.subscriptionId, '1 hour', new Date(now - HOUR_MS)],
    );
    expect(await check(shifted.externalId)).toMatchObject({ rollover: 0, remaining: 10 });
  });

  test('is none, and takes nothing from the quota, where a late use took what was held of it', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily({ periods: 1 }));
    for (const quantity of [14, 2]) {
      const reserve = { expiresInSeconds: 600 };
      const held = { externalId, feature: 'ai_tokens', quantity, reserve };
      expect((await api.send('POST', '/v1/usage/check', held)).body).toMatchObject({ allowed: true });
    }
    await usage.service.database.query(
      `UPDATE tollgate.plan_entitlements SET quota = 15, updated_at = $2
        WHERE plan_id = (SELECT plan_id FROM tollgate.subscriptions WHERE id = $1)`,
      [subscriptionId, new Date()],
    );
    // Six of the ten units of that time are held, and now there are fifteen.
    expect((await track(externalId, 9, 1)).status).toBe(200);
    expect(await check(externalId, 5)).toMatchObject({
      allowed: true,
      rollover: 0,
      remaining: 5,
      reserved: 16,
    });
    expect((await track(externalId, 5)).body).toMatchObject({ remaining: 0, rollover: 0 });
  });

  test('is not given twice in a batch that begins with what was held of it', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily({ periods: 1 }));
    const request = { externalId, feature: 'ai_tokens', quantity: 5, reserve: { expiresInSeconds: 600 } };
    const { reservationId } = (await api.send('POST', '/v1/usage/check', request)).body;
    // As if it had been reserved a day ago.
    await usage.service.database.query(
      `UPDATE tollgate.usage_reservations SET deductions = replace(deductions::text, $2, $3)::json WHERE id = $1`,
      [reservationId, ...[3, 2].map((days) => new Date(anchor + days * DAY_MS).toISOString())],
    );
    const use = { externalId, feature: 'ai_tokens' };
    const results = await sendBatch(api, [
      { ...use, idempotencyKey: randomUUID(), quantity: 5, reservationId },
      { ...use, idempotencyKey: randomUUID(), quantity: 16 },
      { ...use, idempotencyKey: randomUUID(), quantity: 15 },
    ]);
    expect(results.map(({ status }) => status)).toEqual([200, 403, 200]);
    expect(await columns(subscriptionId)).toMatchObject([
      { used: 5, later: 5 },
      { used: 10, rollover: 5 },
    ]);
  });

  test('is more by what a use leaves of the units that an earlier period held', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily({ periods: 1 }));
    const reserve = { expiresInSeconds: 600 };
    const request = { externalId, feature: 'ai_tokens', quantity: 6, reserve };
    const { reservationId } = (await api.send('POST', '/v1/usage/check', request)).body;
    // As if it had been reserved a day ago.
    await usage.service.database.query(
      `UPDATE tollgate.usage_reservations
          SET deductions = replace(deductions::text, $2, $3)::json WHERE id = $1`,
      [
        reservationId,
        new Date(anchor + 3 * DAY_MS).toISOString(),
        new Date(anchor + 2 * DAY_MS).toISOString(),
      ],
    );
    expect(await check(externalId)).toMatchObject({ remaining: 14, rollover: 4, subscriptionId });
    const used = await api.track(externalId, 'ai_tokens', 2, randomUUID(), { reservationId });
    expect(await check(externalId)).toMatchObject({ remaining: 18, rollover: 8 });
    expect(used.body).toMatchObject({ remaining: 18, rollover: 8, usage: 0, reserved: 0 });
  });

  test('is confirmed from several reservations though the interval has changed and both begin at one instant', async () => {
    const { externalId, subscriptionId } = await usage.subscribed(
      { anchor: now - 7 * DAY_MS - 12 * HOUR_MS },
      daily({ periods: 1, first: true }),
    );
    const held: unknown[] = [];
    for (const quantity of [3, 4]) {
      const request = { externalId, feature: 'ai_tokens', quantity, reserve: { expiresInSeconds: 600 } };
      held.push((await api.send('POST', '/v1/usage/check', request)).body['reservationId']);
    }
    await usage.service.database.query(
      `UPDATE tollgate.plan_entitlements SET reset_interval = 'week', rollover_periods = 0, updated_at = $2
        WHERE plan_id = (SELECT plan_id FROM tollgate.subscriptions WHERE id = $1)`,
      [subscriptionId, new Date()],
    );
    for (const [index, quantity] of [3, 4].entries()) {
      const reservation = { reservationId: held[index] };
      const { status } = await api.track(externalId, 'ai_tokens', quantity, randomUUID(), reservation);
      expect(status).toBe(200);
    }
    expect(await check(externalId)).toMatchObject({ usage: 7, remaining: 10 });
  });

  test('is still there if the feature was removed from the plan and added again', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily({ periods: 2 }));
    await track(externalId, 4, 1);
    expect(await check(externalId)).toMatchObject({ remaining: 26, rollover: 16 });
    const { workspaceId } = usage.workspace;
    const operator = await logIn(usage.service, { role: 'developer', workspaceId });
    const { body } = await api.send('GET', `/v1/subscriptions/${subscriptionId}`);
    const { id: planId } = body['plan'] as { id: string };
    const entitlements = `/api/plans/${planId}/entitlements`;
    const [entitlement] = dataOf(await operator.get(entitlements));
    expect((await operator.delete(`${entitlements}/${String(entitlement?.['id'])}`)).status).toBe(204);
    expect(await check(externalId)).toMatchObject({ reason: { code: 'feature_not_in_plan' } });
    const terms = { featureKey: 'ai_tokens', quota: 3, resetInterval: 'day', rollover: { periods: 2 } };
    expect((await operator.post(entitlements, { body: terms })).status).toBe(201);
    // The days before had ten units each.
    expect(await check(externalId)).toMatchObject({ quota: 3, remaining: 19, rollover: 16 });
  });

  test('is of the quota as it was, however often seats were added since', async () => {
    const perSeat = daily({ periods: 2 }, { perSeat: true });
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, perSeat);
    const addSeats = async (count: number, since: number): Promise<void> => {
      for (let seat = 0; seat < count; seat += 1)
        await usage.service.database.query(
          'UPDATE tollgate.subscriptions SET seats = seats + 1, updated_at = $2 WHERE id = $1',
          [subscriptionId, new Date(since + seat * 1_000)],
        );
    };
    // Two days ago there was one seat; yesterday began with one and ended with 111.
    await addSeats(110, now - DAY_MS);
    await addSeats(130, now - HOUR_MS);
    const left = { quota: 2_410, rollover: 10 + 1_110, remaining: 2_410 + 10 + 1_110 };
    expect(await check(externalId)).toMatchObject(left);
    const { body } = await api.send('GET', `/v1/customers/${externalId}`);
    expect(body['balances']).toMatchObject([{ remaining: left.remaining }]);
    const entitlements = await api.send('GET', `/v1/customers/${externalId}/entitlements`);
    expect(JSON.stringify(entitlements.body)).toContain(`"remaining":${left.remaining}`);
    expect((await track(externalId, left.remaining + 1)).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, left.remaining)).body).toMatchObject({ remaining: 0, rollover: 0 });
    // A use of yesterday finds the rollover of three days ago, from one seat; that of two days ago is used.
    expect((await track(externalId, 1, 1)).body).toMatchObject({ rollover: 10 });
  });

  test('a late use among many periods finds what each of them has left', async () => {
    const long = now - 9 * DAY_MS - 12 * HOUR_MS;
    const { externalId } = await usage.subscribed({ anchor: long }, daily({ periods: 2 }));
    for (const daysAgo of [8, 7, 6, 5, 4, 3, 2, 1]) await track(externalId, 10, daysAgo);
    await track(externalId, 10);
    // All periods except the first are used up, and the first rolls over only to the two after it.
    expect((await track(externalId, 1, 6)).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 1)).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 4, 7)).body['deductions']).toMatchObject([{ from: 'rollover' }]);
    expect((await track(externalId, 7, 8)).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 6, 8)).body).toMatchObject({ remaining: 0 });
  });

  test('fifty at once over two processes use each unit once', async () => {
    const { externalId } = await usage.subscribed({ anchor }, daily({ periods: 1 }));
    const other = await startApiProcess(usage.service.database);
    try {
      const apis = [api, new Integrator(other.sandboxUrl, apiKey)];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          trackUntilTaken(
            apis[index % 2] ?? api,
            externalId,
            'ai_tokens',
            1,
            index % 5 === 0 ? { timestamp: new Date(now - DAY_MS).toISOString() } : {},
          ),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200 && status !== 403)).toEqual([]);
      const today = answers.filter(({ status }, index) => status === 200 && index % 5 !== 0).length;
      const late = answers.filter(({ status }, index) => status === 200 && index % 5 === 0).length;
      // Yesterday could use what the day before it left, and today what yesterday leaves.
      expect(late).toBe(10);
      expect(today).toBeGreaterThanOrEqual(10);
      expect(today).toBeLessThanOrEqual(20);
      expect(await check(externalId)).toMatchObject({ usage: today, remaining: 0, rollover: 0 });
    } finally {
      await other.kill('SIGTERM');
    }
  });
});
