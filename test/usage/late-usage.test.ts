import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import type { EntitlementSeed } from '../support/catalogue';
import type { Answer } from '../support/integrator';
import { sendBatch } from '../support/usage-batches';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** Uses reported after they happened. Quotas reset daily, half a day from now. */
describe('a track with a timestamp', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  /** Halfway through today's usage period. */
  let now: number;
  let anchor: number;

  beforeAll(() => {
    now = Date.now();
    anchor = now - 10 * DAY_MS - 12 * HOUR_MS;
  });

  const daily = (changes: Partial<EntitlementSeed> = {}): EntitlementSeed => ({
    feature: 'ai_tokens',
    quota: 10,
    resetInterval: 'day',
    ...changes,
  });
  const at = (daysAgo: number, offset = 0): string => new Date(now - daysAgo * DAY_MS + offset).toISOString();
  const track = (externalId: string, quantity: number, timestamp: string, key?: string): Promise<Answer> =>
    usage.api.track(externalId, 'ai_tokens', quantity, key, { timestamp });
  const counters = (subscriptionId: string): Promise<{ start: number; used: string }[]> =>
    usage.service.database.query(
      `SELECT extract(epoch FROM period_start)::float8 * 1000 AS start, quota_used::text AS used
         FROM tollgate.usage_counters WHERE subscription_id = $1 ORDER BY period_start`,
      [subscriptionId],
    );

  test('counts in the usage period of its time, and leaves the current one unchanged', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily());
    expect((await usage.api.track(externalId, 'ai_tokens', 3)).body).toMatchObject({ late: false, usage: 3 });
    const past = await track(externalId, 4, at(2));
    expect(past.body).toMatchObject({
      status: 'access_granted',
      usage: 4,
      remaining: 6,
      timestamp: at(2),
      late: true,
      period: { start: new Date(anchor + 8 * DAY_MS).toISOString() },
    });
    expect((await track(externalId, 5, at(2, HOUR_MS))).body).toMatchObject({ usage: 9, late: true });
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(3);
    expect(await counters(subscriptionId)).toEqual([
      { start: anchor + 8 * DAY_MS, used: '9' },
      { start: anchor + 10 * DAY_MS, used: '3' },
    ]);
    expect((await usage.api.track(externalId, 'ai_tokens', 7)).body).toMatchObject({ usage: 10 });
  });

  test('is refused where that period is used up and the entitlement is hard, and recorded where it is soft', async () => {
    const hard = await usage.subscribed({ anchor }, daily());
    expect((await track(hard.externalId, 10, at(3))).status).toBe(200);
    const refused = await track(hard.externalId, 1, at(3));
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'quota_exceeded' });
    expect(refused.body['detail']).toContain('The usage period ended at');
    const soft = await usage.subscribed({ anchor }, daily({ enforcement: 'soft' }));
    const over = await track(soft.externalId, 12, at(3));
    expect(over.body).toMatchObject({ late: true, overage: { quantity: 2 } });
  });

  test('is not late as long as the grace of its period runs', async () => {
    // The previous period ended ten minutes ago.
    const { externalId } = await usage.subscribed({ anchor: now - DAY_MS - 10 * MINUTE_MS }, daily());
    expect((await track(externalId, 1, at(0, -20 * MINUTE_MS))).body).toMatchObject({
      late: false,
      usage: 1,
    });
    await usage.service.database.query('UPDATE tollgate.workspace_settings SET usage_grace_minutes = 5');
    expect((await track(externalId, 1, at(0, -20 * MINUTE_MS))).body).toMatchObject({ late: true, usage: 2 });
    await usage.service.database.query('UPDATE tollgate.workspace_settings SET usage_grace_minutes = 60');
  });

  test('lies neither beyond the setting nor more than five minutes ahead', async () => {
    const { externalId } = await usage.subscribed({ anchor: now - 50 * DAY_MS }, daily());
    const old = await track(externalId, 1, at(36));
    expect(old.status).toBe(422);
    expect(old.body).toMatchObject({
      code: 'timestamp_out_of_range',
      errors: [{ pointer: '/timestamp' }],
    });
    expect((await track(externalId, 1, at(34))).status).toBe(200);
    expect((await track(externalId, 1, at(0, 10 * MINUTE_MS))).status).toBe(422);
    expect((await track(externalId, 1, at(0, 2 * MINUTE_MS))).status).toBe(200);
    expect((await track(externalId, 1, 'yesterday')).status).toBe(400);
  });

  test('may be of the next usage period, and then counts in both as they come', async () => {
    // The next period begins in four minutes.
    const begins = Date.now() + 4 * MINUTE_MS;
    const ahead = new Date(begins + 30_000).toISOString();
    const { externalId } = await usage.subscribed({ anchor: begins - DAY_MS }, daily());
    expect((await track(externalId, 6, ahead)).body).toMatchObject({ usage: 6, late: false });
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(0);
    expect((await usage.api.track(externalId, 'ai_tokens', 10)).body).toMatchObject({ usage: 10 });
    expect((await usage.api.track(externalId, 'ai_tokens', 1)).status).toBe(403);
    expect((await track(externalId, 5, ahead)).status).toBe(403);
    expect((await track(externalId, 4, ahead)).body).toMatchObject({ usage: 10 });
    const { customerId } = (
      await usage.service.database.query<{ customerId: string }>(
        'SELECT id AS "customerId" FROM tollgate.customers WHERE external_id = $1',
        [externalId],
      )
    )[0] ?? { customerId: '' };
    expect(customerId).not.toBe('');
    const entitlements = await usage.api.send('GET', `/v1/customers/${externalId}/entitlements`);
    expect(JSON.stringify(entitlements.body)).toContain('"usage":10');
  });

  test('counts for a subscription that was cancelled after it, and for none before its start', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily());
    await usage.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = $2, next_wake_at = NULL WHERE id = $1`,
      [subscriptionId, at(1)],
    );
    expect((await usage.api.track(externalId, 'ai_tokens', 1)).body).toMatchObject({
      code: 'no_active_subscription',
    });
    expect((await track(externalId, 2, at(1, HOUR_MS))).body).toMatchObject({
      code: 'no_active_subscription',
    });
    expect((await track(externalId, 2, at(1, -HOUR_MS))).body).toMatchObject({ usage: 2, subscriptionId });
    expect((await track(externalId, 3, at(1, -2 * HOUR_MS))).body).toMatchObject({
      usage: 5,
      subscriptionId,
    });
    expect((await track(externalId, 1, at(11))).body).toMatchObject({ code: 'no_active_subscription' });
  });

  test('is refused where a cancelled subscription was past due beyond its grace', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed({ anchor }, daily());
    const line = { description: 'Plan', quantity: 1, unitAmount: '100', amount: '100' };
    // The default grace is 7 days.
    await usage.service.database.query(
      `INSERT INTO tollgate.subscription_transactions (workspace_id, environment, id, subscription_id, customer_id, kind,
         status, currency, subtotal, tax_amount, total, tax, lines, period_start, period_end, due_at, voided_at, created_at)
       SELECT workspace_id, environment, 'txn_' || id, id, $2, 'initial', 'void', currency, 100, 0, 100, tax, $5,
              current_period_start, current_period_end, $3, $4, $3
         FROM tollgate.subscriptions WHERE id = $1`,
      [subscriptionId, customerId, at(9), at(1), JSON.stringify([line])],
    );
    await usage.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = $2, next_wake_at = NULL WHERE id = $1`,
      [subscriptionId, at(1)],
    );
    expect((await track(externalId, 1, at(2))).body).toMatchObject({ code: 'subscription_past_due' });
    expect((await track(externalId, 1, at(2, -1))).body).toMatchObject({ usage: 1, subscriptionId });
    expect((await track(externalId, 1, at(10))).body).toMatchObject({ usage: 1, subscriptionId });
  });

  test('is refused where one that its provider cancelled was past due beyond its grace', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily());
    await usage.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = $2, unpaid_since = $3, next_wake_at = NULL
        WHERE id = $1`,
      [subscriptionId, at(1), at(9)],
    );
    expect((await track(externalId, 1, at(2))).body).toMatchObject({ code: 'subscription_past_due' });
    expect((await track(externalId, 1, at(2, -1))).body).toMatchObject({ usage: 1, subscriptionId });
  });

  test('does not count for a subscription that has expired, except the units that were reserved', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily());
    const reserve = { expiresInSeconds: 600 };
    const request = { externalId, feature: 'ai_tokens', quantity: 2, reserve };
    const { reservationId } = (await usage.api.send('POST', '/v1/usage/check', request)).body;
    await usage.service.database.query(
      "UPDATE tollgate.subscriptions SET status = 'expired', next_wake_at = NULL WHERE id = $1",
      [subscriptionId],
    );
    expect((await track(externalId, 1, at(2))).body).toMatchObject({ code: 'no_active_subscription' });
    const reserved = await usage.api.track(externalId, 'ai_tokens', 2, undefined, { reservationId });
    expect(reserved.body['deductions']).toMatchObject([{ from: 'quota', quantity: 2, subscriptionId }]);
  });

  test('counts from the start on where the clock of its time is behind, unless another subscription gave access then', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed(
      { anchor: now - DAY_MS },
      daily(),
    );
    expect((await track(externalId, 1, at(1, -6 * MINUTE_MS))).body).toMatchObject({
      code: 'no_active_subscription',
    });
    expect((await track(externalId, 2, at(1, -1))).body).toMatchObject({
      usage: 2,
      subscriptionId,
      timestamp: at(1, -1),
      period: { start: at(1), end: at(0) },
    });
    expect((await track(externalId, 3, at(1, -5 * MINUTE_MS))).body).toMatchObject({
      usage: 5,
      subscriptionId,
    });
    expect(await counters(subscriptionId)).toEqual([{ start: now - DAY_MS, used: '5' }]);
    const plan = await usage.seed.plan('earlier', [daily()]);
    const ended = { status: 'cancelled', cancelled_at: at(1, -2 * MINUTE_MS), next_wake_at: null };
    const earlier = await usage.seed.subscription(customerId, plan, { anchor: now - 2 * DAY_MS, ...ended });
    expect((await track(externalId, 1, at(1, -3 * MINUTE_MS))).body).toMatchObject({
      usage: 1,
      subscriptionId: earlier,
    });
    expect((await track(externalId, 1, at(1, -MINUTE_MS))).body).toMatchObject({ usage: 6, subscriptionId });
  });

  test('counts from the start on of a subscription that has ended since, unless an open one starts as soon', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed(
      { anchor: now - DAY_MS, status: 'cancelled', cancelled_at: at(0, -HOUR_MS), next_wake_at: null },
      daily(),
    );
    expect((await track(externalId, 1, at(1, -6 * MINUTE_MS))).body).toMatchObject({
      code: 'no_active_subscription',
    });
    const behind = at(1, -2 * MINUTE_MS);
    expect((await track(externalId, 2, behind)).body).toMatchObject({
      usage: 2,
      subscriptionId,
      timestamp: behind,
      period: { start: at(1), end: at(0) },
    });
    const plan = await usage.seed.plan('after', [daily()]);
    const open = await usage.seed.subscription(customerId, plan, { anchor: now - DAY_MS + MINUTE_MS });
    expect((await track(externalId, 1, behind)).body).toMatchObject({ usage: 1, subscriptionId: open });
  });

  test('counts now if it is said to be made right after the end of access, by a clock that is ahead', async () => {
    const soon = (minutes: number): string => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
    const end = soon(2);
    const { externalId, subscriptionId } = await usage.subscribed(
      { anchor, current_period_end: end, cancel_at_period_end: true },
      daily(),
    );
    const ahead = soon(4);
    expect((await track(externalId, 3, ahead)).body).toMatchObject({
      status: 'access_granted',
      usage: 3,
      subscriptionId,
      timestamp: ahead,
      late: false,
    });
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(3);
    expect((await track(externalId, 8, soon(4))).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 1, soon(7))).body).toMatchObject({ code: 'timestamp_out_of_range' });
  });

  test('counts from the start of an add-on on, beside a plan without the feature', async () => {
    const { externalId, customerId } = await usage.subscribed({ anchor }, daily({ feature: 'seats' }));
    const plan = await usage.seed.plan('new-add-on', [daily()]);
    const subscriptionId = await usage.seed.subscription(customerId, plan, { anchor: now - HOUR_MS });
    const soon = at(0, -HOUR_MS - MINUTE_MS);
    expect((await track(externalId, 2, soon)).body).toMatchObject({ usage: 2, subscriptionId });
    expect((await track(externalId, 1, at(0, -HOUR_MS - 6 * MINUTE_MS))).body).toMatchObject({
      code: 'feature_not_in_plan',
    });
  });

  /** Creates another plan of the customer, which was cancelled a day ago. */
  const cancelledAddOn = async (customerId: string, entitlement: EntitlementSeed): Promise<string> => {
    const plan = await usage.seed.plan(`add-on-${customerId}`, [entitlement]);
    const ended = { status: 'cancelled', cancelled_at: at(1), next_wake_at: null };
    return usage.seed.subscription(customerId, plan, { anchor, ...ended });
  };

  test('counts for the one of many day passes that it is of, alone and with others in a batch', async () => {
    const externalId = 'day-passes';
    const customerId = await usage.seed.customer(externalId);
    const plan = await usage.seed.plan('day-pass', [daily()]);
    const passes: string[] = [];
    for (let daysAgo = 31; daysAgo > 0; daysAgo -= 1) {
      const ended = { status: 'cancelled', cancelled_at: at(daysAgo - 1), next_wake_at: null };
      passes.unshift(
        await usage.seed.subscription(customerId, plan, { anchor: now - daysAgo * DAY_MS, ...ended }),
      );
    }
    const passOf = (daysAgo: number) => passes[daysAgo - 1];
    expect((await track(externalId, 4, at(30, -HOUR_MS))).body).toMatchObject({
      usage: 4,
      subscriptionId: passOf(31),
    });
    const uses = [30, 15, 1].map((daysAgo) => ({
      externalId,
      feature: 'ai_tokens',
      quantity: 1,
      timestamp: at(daysAgo, -HOUR_MS),
      idempotencyKey: `${externalId}-${daysAgo}`,
    }));
    expect(await sendBatch(usage.api, uses)).toMatchObject([
      { answer: { usage: 5, subscriptionId: passOf(31) } },
      { answer: { usage: 1, subscriptionId: passOf(16) } },
      { answer: { usage: 1, subscriptionId: passOf(2) } },
    ]);
  });

  test('counts for a cancelled add-on beside an open plan that does not give the feature', async () => {
    const { externalId, customerId } = await usage.subscribed({ anchor }, daily({ feature: 'seats' }));
    const subscriptionId = await cancelledAddOn(customerId, daily());
    expect((await track(externalId, 6, at(1, -HOUR_MS))).body).toMatchObject({ usage: 6, subscriptionId });
    expect((await track(externalId, 4, at(1, -2 * HOUR_MS))).body).toMatchObject({ usage: 10, remaining: 0 });
    expect((await track(externalId, 1, at(1, -HOUR_MS))).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 1, at(1, HOUR_MS))).body).toMatchObject({ code: 'feature_not_in_plan' });
  });

  test('counts for a cancelled add-on what the open plan does not cover', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed({ anchor }, daily());
    const addOn = await cancelledAddOn(customerId, daily({ quota: 5 }));
    expect((await track(externalId, 7, at(1, -HOUR_MS))).body).toMatchObject({ usage: 7, quota: 10 });
    expect((await track(externalId, 9, at(1, -HOUR_MS))).body).toMatchObject({ code: 'quota_exceeded' });
    // In a batch, each use is decided as it would be on its own.
    const batch = await sendBatch(
      usage.api,
      ['a', 'b'].map((name) => ({
        externalId,
        feature: 'ai_tokens',
        quantity: 2,
        timestamp: at(1, -HOUR_MS),
        idempotencyKey: `${externalId}-${name}`,
      })),
    );
    expect(batch).toMatchObject([{ answer: { usage: 9, quota: 10 } }, { answer: { usage: 11, quota: 15 } }]);
    expect((await track(externalId, 4, at(1, -HOUR_MS))).body).toMatchObject({ usage: 15, remaining: 0 });
    expect((await counters(subscriptionId)).map(({ used }) => used)).toEqual(['10']);
    expect((await counters(addOn)).map(({ used }) => used)).toEqual(['5']);
  });

  test('many at once, of many days, are exact, and a replay answers the same', async () => {
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, daily());
    const uses = Array.from({ length: 120 }, (_, index) => ({
      key: randomUUID(),
      timestamp: at(index % 8, -(index % 5) * MINUTE_MS),
    }));
    const answers = await Promise.all(uses.map(({ key, timestamp }) => track(externalId, 1, timestamp, key)));
    // Fifteen for each of eight days, of which ten fit per day.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(80);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(40);
    expect((await counters(subscriptionId)).map(({ used }) => used)).toEqual(Array(8).fill('10'));
    const granted = answers.findIndex(({ status }) => status === 200);
    const { key, timestamp } = uses[granted] ?? { key: '', timestamp: '' };
    const again = await track(externalId, 1, timestamp, key);
    expect(again.text).toBe(answers[granted]?.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await track(externalId, 1, at(1), key);
    expect(other.body).toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('keeps its properties, which are flat and bounded', async () => {
    const { externalId } = await usage.subscribed({ anchor }, daily());
    const properties = { model: 'large', tokens: 12.5, cached: true, note: null };
    const { body } = await usage.api.track(externalId, 'ai_tokens', 1, undefined, { properties });
    const [row] = await usage.service.database.query<{ properties: unknown; used: Date | null }>(
      'SELECT properties, used_at AS used FROM tollgate.usage_events WHERE id = $1',
      [body['eventId']],
    );
    expect(row).toEqual({ properties, used: null });
    const refuse = async (invalid: unknown): Promise<void> => {
      const refused = await usage.api.track(externalId, 'ai_tokens', 1, undefined, { properties: invalid });
      expect(refused.body).toMatchObject({ code: 'validation_failed' });
    };
    await refuse({ nested: { no: true } });
    await refuse(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, 1])));
    await refuse(Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`p${index}`, 'x'.repeat(900)])));
    await refuse({ '': 1 });
    await refuse([]);
  });
});
