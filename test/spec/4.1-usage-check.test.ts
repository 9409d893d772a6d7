import { DAY_MS } from '../../src/domain/instant';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** Specification 4.1, POST /v1/usage/check: decides whether a customer may use a feature before the work runs. */
describe('POST /v1/usage/check', () => {
  const usage = useStarted(() => UsageWorkspace.start());

  test('a granted check answers the balances as they are, and reserves nothing', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10000 });
    await usage.api.track(externalId, 'ai_tokens', 1200);
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await usage.api.check(externalId, 'ai_tokens', 500);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        status: 'access_granted',
        allowed: true,
        reason: null,
        externalId,
        feature: 'ai_tokens',
        quantity: 500,
        usage: 1200,
        quota: 10000,
        remaining: 8800,
        unlimited: false,
        enforcement: 'hard',
        creditBalance: 0,
        overage: { allowed: false, quantity: 0 },
      });
    }
  });

  test('a denied check is a 200 with a reason that is safe to show', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const answer = await usage.api.check(externalId, 'ai_tokens', 11);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'access_denied',
      allowed: false,
      reason: { code: 'quota_exceeded' },
    });
    expect((answer.body['reason'] as { message: string }).message).not.toBe('');
  });

  test.each([
    ['a feature that the plan does not have', 'feature_not_in_plan', { status: 'active' }, 'other'],
    ['a cancelled subscription', 'no_active_subscription', { status: 'cancelled' }, 'ai_tokens'],
    ['an expired subscription', 'no_active_subscription', { status: 'expired' }, 'ai_tokens'],
    ['an unpaid checkout', 'no_active_subscription', { status: 'incomplete' }, 'ai_tokens'],
    [
      'a past-due subscription beyond its grace',
      'subscription_past_due',
      { status: 'past_due', past_due_since: new Date(Date.now() - 8 * DAY_MS) },
      'ai_tokens',
    ],
  ])('denies for %s', async (_, code, row, feature) => {
    await usage.seed.feature('other');
    const { externalId } = await usage.subscribed(row, { feature: 'ai_tokens', quota: 10 });
    const answer = await usage.api.check(externalId, feature);
    expect([answer.status, answer.body['allowed']]).toEqual([200, false]);
    expect(answer.body['reason']).toMatchObject({ code });
  });

  test('denies for the past-due add-on that has the feature, not for the plan that lacks it', async () => {
    const { externalId, customerId } = await usage.subscribed({}, { feature: 'other', quota: 10 });
    const addOn = await usage.seed.plan('past-due-add-on', [{ feature: 'ai_tokens', quota: 10 }]);
    const pastDue = { status: 'past_due', past_due_since: new Date(Date.now() - 8 * DAY_MS) };
    await usage.seed.subscription(customerId, addOn, pastDue);
    const reason = { code: 'subscription_past_due' };
    expect((await usage.api.check(externalId, 'ai_tokens')).body).toMatchObject({ allowed: false, reason });
    expect((await usage.api.check(externalId, 'other')).body).toMatchObject({ allowed: true });
  });

  test.each([
    ['a trial', { status: 'trialing' }],
    [
      'a past-due subscription within its grace',
      { status: 'past_due', past_due_since: new Date(Date.now() - 6 * DAY_MS) },
    ],
    ['a trial past its end', { status: 'trialing', trial_end: new Date(Date.now() - DAY_MS) }],
  ])('grants for %s', async (_, row) => {
    const { externalId } = await usage.subscribed(row, { feature: 'ai_tokens', quota: 10 });
    expect((await usage.api.check(externalId, 'ai_tokens')).body['allowed']).toBe(true);
  });

  test('quotas of several subscriptions add up, and the one that ends first is used first', async () => {
    const { externalId, customerId, subscriptionId } = await usage.subscribed(
      {},
      {
        feature: 'ai_tokens',
        quota: 100,
        resetInterval: 'year',
      },
    );
    const sooner = await usage.seed.subscription(
      customerId,
      await usage.seed.plan('sooner', [{ feature: 'ai_tokens', quota: 10, resetInterval: 'day' }]),
    );
    expect((await usage.api.check(externalId, 'ai_tokens', 110)).body).toMatchObject({
      allowed: true,
      quota: 110,
      subscriptionId: sooner,
    });
    expect((await usage.api.track(externalId, 'ai_tokens', 30)).body['deductions']).toMatchObject([
      { from: 'quota', quantity: 10, subscriptionId: sooner },
      { from: 'quota', quantity: 20, subscriptionId },
    ]);
  });

  test('unlimited wins', async () => {
    const { externalId, customerId } = await usage.customer({ feature: 'ai_tokens', quota: 1 });
    await usage.seed.subscription(
      customerId,
      await usage.seed.plan('unlimited', [{ feature: 'ai_tokens', quota: null }]),
    );
    expect((await usage.api.check(externalId, 'ai_tokens', 1e12)).body).toMatchObject({
      allowed: true,
      unlimited: true,
      quota: null,
      remaining: null,
    });
  });

  test('a quota counts for each seat only where the entitlement says so', async () => {
    const { externalId } = await usage.subscribed(
      { seats: 5 },
      { feature: 'ai_tokens', quota: 10, perSeat: true },
      { feature: 'projects', quota: 10 },
    );
    expect((await usage.api.check(externalId, 'ai_tokens')).body['quota']).toBe(50);
    expect((await usage.api.check(externalId, 'projects')).body['quota']).toBe(10);
  });

  test('credits that have expired do not count', async () => {
    const { externalId, customerId } = await usage.customer({
      feature: 'ai_tokens',
      quota: 1,
      creditCost: 2,
    });
    await usage.seed.credits(customerId, 100, new Date(Date.now() - DAY_MS));
    await usage.seed.credits(customerId, 8);
    const answer = await usage.api.check(externalId, 'ai_tokens', 5);
    expect(answer.body).toMatchObject({ allowed: true, creditBalance: 8 });
    expect((await usage.api.check(externalId, 'ai_tokens', 6)).body['allowed']).toBe(false);
  });

  test('the quota resets at the boundary without any job, and each use counts in one period', async () => {
    const anchor = Date.now() - 40 * DAY_MS;
    const { externalId } = await usage.subscribed(
      { anchor },
      { feature: 'ai_tokens', quota: 10, resetInterval: 'day' },
    );
    await usage.api.track(externalId, 'ai_tokens', 10);
    expect((await usage.api.check(externalId, 'ai_tokens')).body['allowed']).toBe(false);
    usage.service.clock.ahead += DAY_MS;
    try {
      expect((await usage.api.check(externalId, 'ai_tokens', 10)).body).toMatchObject({
        allowed: true,
        usage: 0,
      });
      expect((await usage.api.track(externalId, 'ai_tokens', 4)).body['usage']).toBe(4);
    } finally {
      usage.service.clock.ahead -= DAY_MS;
    }
  });

  test("a sandbox's clock moves its usage periods, and production's stay", async () => {
    const { externalId } = await usage.subscribed({}, { feature: 'ai_tokens', quota: 10 });
    await usage.api.track(externalId, 'ai_tokens', 10);
    await usage.service.database.query(
      `INSERT INTO tollgate.sandbox_clocks VALUES ($1, 'sandbox', $2, now())`,
      [usage.workspace.workspaceId, 32 * DAY_MS],
    );
    const answer = await usage.api.check(externalId, 'ai_tokens', 10);
    await usage.service.database.query('DELETE FROM tollgate.sandbox_clocks');
    expect(answer.body).toMatchObject({ allowed: true, usage: 0 });
    expect(Date.parse((answer.body['period'] as { start: string }).start)).toBeGreaterThan(
      Date.now() + 20 * DAY_MS,
    );
  });
});
