import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** Usage of a subscription whose billing periods are moved by a change of interval or by its payment provider. */
describe('usage of a subscription whose billing periods are moved', () => {
  const usage = useStarted(() => UsageWorkspace.start());

  const quota = { feature: 'ai_tokens', quota: 10, resetInterval: 'billing_period' } as const;
  const move = (subscriptionId: string, columns: Record<string, unknown>): Promise<unknown> =>
    usage.service.database.query(
      `UPDATE tollgate.subscriptions SET ${Object.keys(columns)
        .map((name, index) => `${name} = $${index + 2}`)
        .join(', ')} WHERE id = $1`,
      [subscriptionId, ...Object.values(columns)],
    );
  const track = (externalId: string, quantity: number, at?: number) =>
    usage.api.track(externalId, 'ai_tokens', quantity, undefined, {
      ...(at !== undefined && { timestamp: new Date(at).toISOString() }),
    });

  /** Creates a ten-day-old subscription whose seven-day trial has ended, with four units used since. */
  async function afterTrial(): Promise<{ externalId: string; customerId: string; subscriptionId: string }> {
    const anchor = Date.now() - 3 * DAY_MS;
    const startedAt = new Date(anchor - 7 * DAY_MS);
    const made = await usage.subscribed({ anchor, started_at: startedAt }, quota);
    expect((await track(made.externalId, 1, anchor - DAY_MS)).status).toBe(200);
    expect((await track(made.externalId, 4)).body).toMatchObject({ usage: 4 });
    return made;
  }

  /** Extends the trial by five days, as the payment provider does, after the paid periods had begun. */
  async function extendTrial(subscriptionId: string): Promise<void> {
    const end = new Date(Date.now() + 5 * DAY_MS);
    await usage.service.database.query(
      `UPDATE tollgate.subscriptions
          SET status = 'trialing', trial_end = $2, billing_anchor = $2, current_period_start = started_at,
              current_period_end = $2
        WHERE id = $1`,
      [subscriptionId, end],
    );
  }

  test('a longer trial counts on where the trial was, use after use', async () => {
    const { externalId, customerId, subscriptionId } = await afterTrial();
    await extendTrial(subscriptionId);
    expect((await usage.api.check(externalId, 'ai_tokens')).body).toMatchObject({ usage: 1 });
    expect((await track(externalId, 2)).body).toMatchObject({ usage: 3, remaining: 7 });
    expect((await track(externalId, 3)).body).toMatchObject({ usage: 6, remaining: 4 });
    const batch = await usage.api.send('POST', '/v1/usage/batch', {
      events: [1, 2].map((quantity) => ({
        externalId,
        feature: 'ai_tokens',
        quantity,
        idempotencyKey: `${externalId}-${quantity}`,
      })),
    });
    expect(batch.body['results']).toMatchObject([{ answer: { usage: 7 } }, { answer: { usage: 9 } }]);
    expect((await track(externalId, 2)).status).toBe(403);
    const { body } = await usage.api.send('GET', `/v1/customers/${externalId}`);
    expect(body['balances']).toMatchObject([{ feature: 'ai_tokens', usage: 9, remaining: 1 }]);
    const counted = await usage.service.database.query<{ used: string }>(
      'SELECT sum(quota_used)::text AS used FROM tollgate.usage_counters WHERE customer_id = $1',
      [customerId],
    );
    expect(counted).toEqual([{ used: '13' }]);
  });

  test('units that are held before a move are held after it, and counted once', async () => {
    const { externalId, subscriptionId } = await afterTrial();
    const reserved = await usage.api.send('POST', '/v1/usage/check', {
      externalId,
      feature: 'ai_tokens',
      quantity: 5,
      reserve: { expiresInSeconds: 600 },
    });
    expect(reserved.status).toBe(200);
    const { reservationId } = reserved.body;
    await extendTrial(subscriptionId);
    expect((await track(externalId, 9)).body).toMatchObject({ usage: 10 });
    const settled = await usage.api.track(externalId, 'ai_tokens', 5, undefined, { reservationId });
    expect(settled.status).toBe(200);
    // The held units belong to the previous period.
    expect((await usage.api.check(externalId, 'ai_tokens')).body).toMatchObject({ usage: 10 });
  });

  test.each(['billing_period', 'month', 'week'] as const)(
    'a late use counts as it did before months became years (%s)',
    async (resetInterval) => {
      const now = Date.now();
      const anchor = now - 31 * DAY_MS - HOUR_MS;
      // Older than the month of the late use; otherwise both would begin with the subscription.
      const began = { anchor, started_at: new Date(anchor - 60 * DAY_MS) };
      const { externalId, subscriptionId } = await usage.subscribed(began, { ...quota, resetInterval });
      // In the previous month, less than an hour before the boundary.
      const before = now - HOUR_MS - 10 * 60_000;
      expect((await track(externalId, 8, before)).body).toMatchObject({ usage: 8 });
      const boundary = new Date(now - HOUR_MS);
      await move(subscriptionId, {
        billing_interval: 'year',
        billing_anchor: boundary,
        current_period_start: boundary,
        current_period_end: new Date(now + 365 * DAY_MS),
      });
      expect((await track(externalId, 3, before)).status).toBe(403);
      expect((await track(externalId, 2, before)).body).toMatchObject({
        usage: 10,
        period: { end: boundary.toISOString() },
      });
      expect((await track(externalId, 10)).body).toMatchObject({
        usage: 10,
        period: { start: boundary.toISOString() },
      });
      expect((await track(externalId, 1)).status).toBe(403);
    },
  );

  test('a week’s quota is not given twice because years became months in it', async () => {
    const boundary = Date.now() - HOUR_MS;
    // Fifty-two weeks and a day.
    const anchor = boundary - 365 * DAY_MS;
    const { externalId, subscriptionId } = await usage.subscribed(
      { anchor, billing_interval: 'year', current_period_end: new Date(boundary) },
      { ...quota, resetInterval: 'week' },
    );
    const start = new Date(boundary - DAY_MS).toISOString();
    const end = new Date(boundary + 6 * DAY_MS).toISOString();
    expect((await track(externalId, 8, boundary - HOUR_MS)).body).toMatchObject({ period: { start, end } });
    await move(subscriptionId, {
      billing_interval: 'month',
      current_period_start: new Date(boundary),
      current_period_end: new Date(boundary + 30 * DAY_MS),
    });
    expect((await track(externalId, 3)).status).toBe(403);
    expect((await track(externalId, 2)).body).toMatchObject({ usage: 10, period: { start, end } });
    expect((await track(externalId, 1, boundary - HOUR_MS)).status).toBe(403);
  });

  test('periods that were moved twice are counted as they were, each in its time', async () => {
    const now = Date.now();
    const anchor = now - 30 * DAY_MS;
    const { externalId, subscriptionId } = await usage.subscribed({ anchor }, quota);
    const [first, second] = [now - 20 * DAY_MS, now - 10 * DAY_MS].map((at) => new Date(at));
    const end = new Date(now + 365 * DAY_MS);
    for (const [interval, start] of [
      ['year', first],
      ['month', second],
    ])
      await move(subscriptionId, {
        billing_interval: interval,
        billing_anchor: start,
        current_period_start: start,
        current_period_end: end,
      });
    const periods = [anchor, Number(first), Number(second)];
    for (const [index, start] of periods.entries()) {
      const at = start + DAY_MS;
      expect((await track(externalId, 7, at)).body).toMatchObject({
        usage: 7,
        period: { start: new Date(start).toISOString() },
      });
      expect((await track(externalId, 4, at + HOUR_MS)).status).toBe(403);
      const next = periods[index + 1];
      if (next !== undefined) {
        const { body } = await track(externalId, 3, next - HOUR_MS);
        expect(body).toMatchObject({ usage: 10, period: { end: new Date(next).toISOString() } });
      }
    }
    // The provider reverts to before both changes: a former rhythm that would have held for no time is dropped.
    await move(subscriptionId, { billing_anchor: end, current_period_start: new Date(anchor) });
    const [row] = await usage.service.database.query<{ former: unknown }>(
      'SELECT former_rhythms AS former FROM tollgate.subscriptions WHERE id = $1',
      [subscriptionId],
    );
    expect(row).toEqual({ former: null });
    // Everything belongs to the one period that began with the subscription, of which ten units were used.
    expect((await track(externalId, 1, now - 15 * DAY_MS)).status).toBe(403);
  });
});
