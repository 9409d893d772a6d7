import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** Ten units a day; unused ones may be used on the next day. */
describe('unused quota of a day in which a trial was moved', () => {
  const usage = useStarted(() => UsageWorkspace.start());

  const track = (externalId: string, quantity: number, at?: number) =>
    usage.api.track(externalId, 'ai_tokens', quantity, undefined, {
      ...(at !== undefined && { timestamp: new Date(at).toISOString() }),
    });

  /**
   * Creates a trial whose end the provider moved by hours three times yesterday, so that its days began at different
   * times and were used differently.
   */
  async function moved(): Promise<string> {
    const yesterday = Date.now() - DAY_MS;
    const startedAt = yesterday - 3 * DAY_MS - 2 * HOUR_MS;
    const trialEnd = startedAt + 14 * DAY_MS;
    const columns = { started_at: startedAt, current_period_start: startedAt, current_period_end: trialEnd };
    const { externalId, subscriptionId } = await usage.subscribed(
      {
        ...Object.fromEntries(Object.entries(columns).map(([name, at]) => [name, new Date(at)])),
        anchor: trialEnd,
        status: 'trialing',
        trial_end: new Date(trialEnd),
      },
      { feature: 'ai_tokens', quota: 10, resetInterval: 'day', rollover: { periods: 1 } },
    );
    expect((await track(externalId, 2, yesterday)).status).toBe(200);
    for (const [hours, quantity] of [
      [2, 1],
      [4, 1],
      [8, 7],
    ] as const) {
      await usage.service.database.query(
        `UPDATE tollgate.subscriptions
            SET trial_end = $2, billing_anchor = $2, current_period_end = $2, updated_at = $3 WHERE id = $1`,
        [subscriptionId, new Date(trialEnd - hours * HOUR_MS), new Date(yesterday + hours)],
      );
      expect((await track(externalId, quantity, yesterday)).body).toMatchObject({ usage: quantity });
    }
    return externalId;
  }

  test('is used once, and check, balances and track know how much it is', async () => {
    const externalId = await moved();
    for (const [used, rollover] of [
      [0, 3],
      [6, 3],
      [12, 1],
    ] as const) {
      const left = { usage: used, rollover, remaining: 13 - used };
      expect((await usage.api.check(externalId, 'ai_tokens')).body).toMatchObject(left);
      const { body } = await usage.api.send('GET', `/v1/customers/${externalId}`);
      expect(body['balances']).toMatchObject([{ usage: used, remaining: 13 - used }]);
      const listed = await usage.api.send('GET', `/v1/customers/${externalId}/entitlements`);
      expect(listed.body['data']).toMatchObject([left]);
      if (used < 12) expect((await track(externalId, 6)).body).toMatchObject({ usage: used + 6 });
    }
    expect((await track(externalId, 2)).status).toBe(403);
    expect((await track(externalId, 1)).body).toMatchObject({ usage: 13, remaining: 0, rollover: 0 });
    // Yesterday's remaining units were used today.
    expect((await track(externalId, 1, Date.now() - DAY_MS)).status).toBe(403);
  });
});
