import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

const usage = useStarted(() => UsageWorkspace.start());

test.each(['billing_period', 'day', 'week'] as const)(
  'a clock that is behind the one which began the subscription counts in its first period (%s)',
  async (resetInterval) => {
    const began = Date.now();
    const { externalId } = await usage.subscribed(
      { anchor: began },
      { feature: 'ai_tokens', quota: 5, resetInterval },
    );
    const { clock } = usage.service;
    clock.ahead = -60_000;
    const first = await usage.api.track(externalId, 'ai_tokens', 5);
    const start = new Date(began).toISOString();
    expect(first.body).toMatchObject({ usage: 5, remaining: 0, period: { start } });
    expect(Date.parse((first.body['period'] as { end: string }).end)).toBeGreaterThan(began);
    clock.ahead = 0;
    const more = await usage.api.track(externalId, 'ai_tokens', 1);
    expect([more.status, more.body['code']]).toEqual([403, 'quota_exceeded']);
  },
);
