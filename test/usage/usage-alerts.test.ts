import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { alertsOf, notifiedOf } from '../support/usage-alerts';
import { sendBatch } from '../support/usage-batches';
import { Integrator, type Answer } from '../support/integrator';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';

const TOKENS = 'ai_tokens';

/** When the service stops, the verifier checks for alerts that were notified twice. */
describe('alerts of a quota', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let api: Integrator;
  let now: number;

  beforeAll(async () => {
    const key = await createKey(usage.service.database, usage.workspace.sandbox, ['usage', 'events']);
    api = new Integrator(usage.service.urls.sandbox, key);
    now = Date.now();
  });

  const track = (externalId: string, quantity: number, more: object = {}): Promise<Answer> =>
    api.track(externalId, TOKENS, quantity, randomUUID(), more);
  const notified = (customerId: string): Promise<string[]> => notifiedOf(usage.service.database, customerId);
  const reverse = (eventId: unknown, more: object = {}): Promise<Answer> =>
    api.send(
      'POST',
      `/v1/usage/events/${String(eventId)}/reverse`,
      { reason: 'r', ...more },
      { 'Idempotency-Key': randomUUID() },
    );
  const setQuota = (subscriptionId: string, quota: number | null): Promise<unknown> =>
    usage.service.database.query(
      `UPDATE tollgate.plan_entitlements e SET quota = $2 FROM tollgate.subscriptions s
        WHERE s.id = $1 AND e.plan_id = s.plan_id`,
      [subscriptionId, quota],
    );

  test('80 and 100 % are notified once each, by the track that reaches them and after its own event', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed(
      {},
      { feature: TOKENS, quota: 10 },
    );
    await track(externalId, 7.9);
    expect(await notified(customerId)).toEqual([]);
    const reached = await track(externalId, 0.1, { source: 'worker' });
    expect(await notified(customerId)).toEqual(['80 of 10']);
    await track(externalId, 1);
    await track(externalId, 1);
    expect(await notified(customerId)).toEqual(['80 of 10', '100 of 10']);
    const [first] = await alertsOf(usage.service.database, customerId);
    const { decisionId, eventId, plan, period } = reached.body;
    expect(first).toEqual({
      type: 'USAGE_THRESHOLD_REACHED',
      status: 'OK',
      source: 'worker',
      message: `${externalId} has reached 80 % of its quota of ai_tokens: 8 of 10 used.`,
      data: {
        customerId,
        externalId,
        feature: TOKENS,
        subscriptionId,
        plan,
        period,
        percent: 80,
        quota: 10,
        usage: 8,
        decisionId,
        eventId,
        resetInterval: 'billing_period',
        requestId: reached.headers.get('request-id'),
      },
    });
    const listed = await api.send('GET', `/v1/events?customerId=${customerId}&take=3`);
    const types = (listed.body['data'] as { type: string }[]).map(({ type }) => type);
    expect(types).toEqual(['USAGE_THRESHOLD_REACHED', 'USAGE_TRACKED', 'USAGE_TRACKED']);
    const alone = await api.send(
      'GET',
      `/v1/events?customerId=${customerId}&eventType=USAGE_THRESHOLD_REACHED`,
    );
    expect(alone.body['data']).toHaveLength(2);
    // The event of the decision is that of the track.
    const explained = await api.send('GET', `/v1/decisions/${String(decisionId)}`);
    expect(explained.status).toBe(200);
  });

  test('a track that passes both notifies both; a denied one, a check and a replay notify nothing', async () => {
    const { externalId, customerId } = await usage.customer({ feature: TOKENS, quota: 10 });
    expect((await track(externalId, 11)).status).toBe(403);
    await api.check(externalId, TOKENS, 10);
    expect(await notified(customerId)).toEqual([]);
    expect((await api.track(externalId, TOKENS, 10, 'both-at-once')).status).toBe(200);
    const replay = await api.track(externalId, TOKENS, 10, 'both-at-once');
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(await notified(customerId)).toEqual(['80 of 10', '100 of 10']);
  });

  test('units that are taken back and used again notify nothing again', async () => {
    const { externalId, customerId } = await usage.customer({ feature: TOKENS, quota: 10 });
    const first = await track(externalId, 8);
    await reverse(first.body['eventId']);
    const second = await track(externalId, 9);
    await track(externalId, 1);
    await reverse(second.body['eventId'], { quantity: 5 });
    await track(externalId, 5);
    expect(await notified(customerId)).toEqual(['80 of 10', '100 of 10']);
  });

  test('another quota arms them again: by the entitlement, by seats, by a change of plan', async () => {
    const entitled = await usage.subscribed({}, { feature: TOKENS, quota: 10 });
    await track(entitled.externalId, 9);
    await setQuota(entitled.subscriptionId, 11);
    await track(entitled.externalId, 0.5);
    await track(entitled.externalId, 0.5);
    await setQuota(entitled.subscriptionId, 100);
    await track(entitled.externalId, 1);
    await setQuota(entitled.subscriptionId, null);
    await track(entitled.externalId, 1);
    expect(await notified(entitled.customerId)).toEqual(['80 of 10', '80 of 11']);

    const seated = await usage.subscribed({ seats: 1 }, { feature: TOKENS, quota: 10, perSeat: true });
    await track(seated.externalId, 8);
    await usage.service.database.query('UPDATE tollgate.subscriptions SET seats = 2 WHERE id = $1', [
      seated.subscriptionId,
    ]);
    await track(seated.externalId, 7);
    await track(seated.externalId, 1);
    expect(await notified(seated.customerId)).toEqual(['80 of 10', '80 of 20']);

    const moved = await usage.subscribed({}, { feature: TOKENS, quota: 10 });
    await track(moved.externalId, 10);
    const larger = await usage.seed.plan('alerts-larger', [{ feature: TOKENS, quota: 12 }]);
    await usage.service.database.query('UPDATE tollgate.subscriptions SET plan_id = $2 WHERE id = $1', [
      moved.subscriptionId,
      larger.planId,
    ]);
    await track(moved.externalId, 1);
    expect(await notified(moved.customerId)).toEqual(['80 of 10', '100 of 10', '80 of 12']);
  });

  test('a quota that comes back arms them again once another one was notified', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed(
      {},
      { feature: TOKENS, quota: 10 },
    );
    await track(externalId, 8);
    await setQuota(subscriptionId, 11);
    await track(externalId, 1);
    await setQuota(subscriptionId, 10);
    await track(externalId, 0.5);
    expect(await notified(customerId)).toEqual(['80 of 10', '80 of 11', '80 of 10']);
  });

  test('the next usage period arms them, and a late use notifies for the period that it counts in', async () => {
    const anchor = now - 3 * DAY_MS - 12 * HOUR_MS;
    const { externalId, customerId } = await usage.subscribed(
      { anchor },
      { feature: TOKENS, quota: 10, resetInterval: 'day' },
    );
    const ago = (days: number) => ({ timestamp: new Date(now - days * DAY_MS).toISOString() });
    await track(externalId, 8);
    await track(externalId, 8, ago(1));
    await track(externalId, 1, ago(1));
    await track(externalId, 2);
    await track(externalId, 1, ago(1));
    const alerts = await alertsOf(usage.service.database, customerId);
    const start = (days: number): string => new Date(anchor + (3 - days) * DAY_MS).toISOString();
    expect(alerts.map(({ data }) => [data.percent, (data['period'] as { start: string }).start])).toEqual([
      [80, start(0)],
      [80, start(1)],
      [100, start(0)],
      [100, start(1)],
    ]);
    usage.service.clock.ahead = DAY_MS;
    try {
      await track(externalId, 8);
    } finally {
      usage.service.clock.ahead = 0;
    }
    expect(await notified(customerId)).toEqual([
      ...alerts.map(({ data }) => `${data.percent} of 10`),
      '80 of 10',
    ]);
  });

  test('a late use notifies for a subscription that was cancelled since', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed(
      { anchor: now - 5 * DAY_MS },
      { feature: TOKENS, quota: 10 },
    );
    await usage.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = $2, next_wake_at = NULL WHERE id = $1`,
      [subscriptionId, new Date(now - DAY_MS)],
    );
    await track(externalId, 8, { timestamp: new Date(now - 2 * DAY_MS).toISOString() });
    expect(await notified(customerId)).toEqual(['80 of 10']);
  });

  test('overage counts, and percents may lie beyond the quota; of none and of unlimited there are no alerts', async () => {
    const soft = await usage.customer({
      feature: TOKENS,
      quota: 10,
      enforcement: 'soft',
      alertPercents: [120, 100],
    });
    await track(soft.externalId, 11.9);
    await track(soft.externalId, 0.1);
    await track(soft.externalId, 50);
    expect(await notified(soft.customerId)).toEqual(['100 of 10', '120 of 10']);
    const none = await usage.customer({ feature: TOKENS, quota: 0, enforcement: 'soft' });
    const unlimited = await usage.customer({ feature: TOKENS, quota: null });
    for (const { externalId } of [none, unlimited]) expect((await track(externalId, 5)).status).toBe(200);
    expect([...(await notified(none.customerId)), ...(await notified(unlimited.customerId))]).toEqual([]);
  });

  test('carried-over units do not count towards the quota, and do not change its alert state', async () => {
    const { externalId, customerId } = await usage.subscribed(
      { anchor: now - 2 * DAY_MS - 12 * HOUR_MS },
      { feature: TOKENS, quota: 10, resetInterval: 'day', rollover: { periods: 2, first: true } },
    );
    const yesterday = { timestamp: new Date(now - DAY_MS).toISOString() };
    await track(externalId, 8 + 10, yesterday);
    expect(await notified(customerId)).toEqual(['80 of 10']);
    // The two units that yesterday left are taken first, which does not discard the notified thresholds.
    await track(externalId, 2 + 7);
    await track(externalId, 1);
    expect(await notified(customerId)).toEqual(['80 of 10', '80 of 10']);
    await reverse((await track(externalId, 2)).body['eventId']);
    await track(externalId, 2);
    expect(await notified(customerId)).toEqual(['80 of 10', '80 of 10', '100 of 10']);
  });

  test('each of several subscriptions by itself', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed(
      {},
      { feature: TOKENS, quota: 10 },
    );
    const other = await usage.seed.plan('alerts-second', [{ feature: TOKENS, quota: 4 }]);
    const second = await usage.seed.subscription(customerId, other, { anchor: now - 20 * DAY_MS });
    await track(externalId, 14);
    const alerts = await alertsOf(usage.service.database, customerId);
    expect(alerts.map(({ data }) => [data['subscriptionId'], data.percent, data['quota']])).toEqual([
      [second, 80, 4],
      [second, 100, 4],
      [subscriptionId, 80, 10],
      [subscriptionId, 100, 10],
    ]);
  });

  test('events of a batch notify like single tracks, each once', async () => {
    const { externalId, customerId } = await usage.customer({ feature: TOKENS, quota: 100 });
    const events = Array.from({ length: 120 }, (_, index) => ({
      idempotencyKey: `alerts-batch-${index}`,
      externalId,
      feature: TOKENS,
      quantity: 1,
    }));
    const results = await sendBatch(api, events);
    expect(results.filter(({ status }) => status === 200)).toHaveLength(100);
    const alerts = await alertsOf(usage.service.database, customerId);
    expect(alerts.map(({ data }) => [data.percent, data['eventId']])).toEqual([
      [80, results[79]?.answer?.['eventId']],
      [100, results[99]?.answer?.['eventId']],
    ]);
    await sendBatch(api, events);
    expect(await notified(customerId)).toEqual(['80 of 100', '100 of 100']);
  });

  test('a reservation notifies when it is confirmed, also after the turn of its period', async () => {
    const { externalId, customerId } = await usage.subscribed(
      { anchor: now - DAY_MS - 12 * HOUR_MS },
      { feature: TOKENS, quota: 10, resetInterval: 'day' },
    );
    const reserve = async (quantity: number): Promise<unknown> => {
      const body = { externalId, feature: TOKENS, quantity, reserve: { expiresInSeconds: 86_400 } };
      return (await api.send('POST', '/v1/usage/check', body)).body['reservationId'];
    };
    const [first, second] = [await reserve(8), await reserve(2)];
    expect(await notified(customerId)).toEqual([]);
    await track(externalId, 8, { reservationId: first });
    expect(await notified(customerId)).toEqual(['80 of 10']);
    usage.service.clock.ahead = 13 * HOUR_MS;
    try {
      expect((await track(externalId, 2, { reservationId: second })).status).toBe(200);
    } finally {
      usage.service.clock.ahead = 0;
    }
    const alerts = await alertsOf(usage.service.database, customerId);
    expect(alerts.map(({ data }) => [data.percent, data['period']])).toEqual([
      [80, alerts[0]?.data['period']],
      [100, alerts[0]?.data['period']],
    ]);
  });
});
