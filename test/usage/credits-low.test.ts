import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';
import { alertsOf, notifiedOf } from '../support/usage-alerts';
import { sendBatch } from '../support/usage-batches';
import { Integrator, type Answer } from '../support/integrator';
import { logIn } from '../support/operator';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';

const TOKENS = 'ai_tokens';

describe('credits that are low', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let api: Integrator;

  beforeAll(async () => {
    const key = await createKey(usage.service.database, usage.workspace.sandbox, ['usage', 'events']);
    api = new Integrator(usage.service.urls.sandbox, key);
  });

  const customer = () => usage.customer({ feature: TOKENS, quota: 0, creditCost: 1 });
  const track = (externalId: string, quantity: number): Promise<Answer> =>
    api.track(externalId, TOKENS, quantity, randomUUID());
  const notified = (customerId: string): Promise<string[]> => notifiedOf(usage.service.database, customerId);
  const reverse = (tracked: Answer): Promise<Answer> =>
    api.send(
      'POST',
      `/v1/usage/events/${String(tracked.body['eventId'])}/reverse`,
      { reason: 'r' },
      { 'Idempotency-Key': randomUUID() },
    );

  test('are notified once, when a fifth of what was granted is left, and again with a new grant', async () => {
    const { externalId, customerId } = await customer();
    await usage.seed.credits(customerId, 60);
    await usage.seed.credits(customerId, 40);
    // More than the first grant: what it held before the use still counts.
    await track(externalId, 79);
    expect(await notified(customerId)).toEqual([]);
    const low = await track(externalId, 13);
    expect(await notified(customerId)).toEqual(['credits 20']);
    await track(externalId, 1);
    await reverse(low);
    await track(externalId, 15);
    expect(await notified(customerId)).toEqual(['credits 20']);

    await usage.seed.credits(customerId, 60);
    await track(externalId, 40);
    expect(await notified(customerId)).toEqual(['credits 20']);
    await track(externalId, 20);
    expect(await notified(customerId)).toEqual(['credits 20', 'credits 20']);
    const [first] = await alertsOf(usage.service.database, customerId);
    expect(first).toMatchObject({
      type: 'CREDITS_LOW',
      status: 'OK',
      source: 'api',
      message: `${externalId} has 8 of 40 credits left: 20 % or less.`,
      data: {
        customerId,
        externalId,
        feature: TOKENS,
        percent: 20,
        granted: 40,
        creditBalance: 8,
        decisionId: low.body['decisionId'],
        eventId: low.body['eventId'],
        requestId: low.headers.get('request-id'),
      },
    });
  });

  test('a reversal to a grant that was used up before the alert does not arm it', async () => {
    const { externalId, customerId } = await customer();
    await usage.seed.credits(customerId, 10);
    await usage.seed.credits(customerId, 100);
    const first = await track(externalId, 10);
    await track(externalId, 85);
    expect(await notified(customerId)).toEqual(['credits 20']);
    await reverse(first);
    await track(externalId, 12);
    expect(await notified(customerId)).toEqual(['credits 20']);
  });

  test('a grant that has expired counts for nothing, and one that one use empties is notified', async () => {
    const { externalId, customerId } = await customer();
    await usage.seed.credits(customerId, 1_000, new Date(Date.now() - HOUR_MS));
    await usage.seed.credits(customerId, 10);
    await track(externalId, 7);
    expect(await notified(customerId)).toEqual([]);
    await track(externalId, 1);
    expect(await notified(customerId)).toEqual(['credits 20']);
    const sudden = await customer();
    await usage.seed.credits(sudden.customerId, 10);
    await track(sudden.externalId, 10);
    expect(await notified(sudden.customerId)).toEqual(['credits 20']);
  });

  test('of uses that no credits pay for there are none, and of denied ones', async () => {
    const { externalId, customerId } = await usage.customer({ feature: TOKENS, quota: 5, creditCost: 1 });
    await usage.seed.credits(customerId, 10);
    await track(externalId, 5);
    expect((await track(externalId, 11)).status).toBe(403);
    expect(await notified(customerId)).toEqual(['80 of 5', '100 of 5']);
    // Units paid with credits count in the period and reach thresholds beyond the quota.
    await track(externalId, 8);
    expect(await notified(customerId)).toEqual(['80 of 5', '100 of 5', 'credits 20']);
  });

  test('the uses of one batch notify once, over all features that the credits pay for', async () => {
    const { externalId, customerId } = await usage.customer(
      { feature: TOKENS, quota: 0, creditCost: 1 },
      { feature: 'exports', quota: 0, creditCost: 2 },
    );
    await usage.seed.credits(customerId, 100);
    const results = await sendBatch(
      api,
      Array.from({ length: 60 }, (_, index) => ({
        idempotencyKey: `low-${index}`,
        externalId,
        feature: index % 2 === 0 ? TOKENS : 'exports',
        quantity: 1,
      })),
    );
    const alerts = await alertsOf(usage.service.database, customerId);
    // Three credits a pair: the 54th use brings the total to 81, no use to 80, and the 53rd to 79.
    expect(alerts.map(({ data }) => [data['creditBalance'], data['eventId']])).toEqual([
      [19, results[53]?.answer?.['eventId']],
    ]);
  });

  test('the setting says when, and null is never', async () => {
    const admin = await logIn(usage.service, { role: 'admin', workspaceId: usage.workspace.workspaceId });
    const set = (creditsLowPercent: number | null) =>
      admin.patch('/api/billing/settings', { body: { creditsLowPercent } });
    const { externalId, customerId } = await customer();
    await usage.seed.credits(customerId, 10);
    expect((await set(null)).body).toMatchObject({ creditsLowPercent: null });
    await track(externalId, 9);
    await reverse(await track(externalId, 1));
    expect(await notified(customerId)).toEqual([]);
    await set(50);
    await track(externalId, 0.5);
    expect(await notified(customerId)).toEqual(['credits 50']);
    await set(20);
  });
});
