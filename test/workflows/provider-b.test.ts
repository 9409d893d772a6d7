import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import type { SubscriptionView } from '../../workflows/activity-types';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { monthlyView } from './fake-billing';
import { FakeProviderReading, IDLE, type Luck } from './fake-provider-reading';
import { acceptLocal, atProvider, living, passTo } from './provider-living';
import { SkippedTime } from './time-skipping';

const time = useStarted(() => SkippedTime.start());

/** Returns a subscription of provider B with three days to approve a change, and the given activity outcomes. */
async function requestChange(...luck: Luck[]) {
  const now = await time.environment.currentTimeMs();
  const request = { lookAt: now + HOUR_MS, expiresAt: now + 3 * DAY_MS };
  const billing = new FakeProviderReading(
    monthlyView(now - DAY_MS, now, { provider: 'provider_b', work: { ...IDLE, request } }),
  );
  billing.luck = luck;
  return { billing, request, end: billing.row.currentPeriodEnd };
}

const withdrawn = (row: SubscriptionView): SubscriptionView => ({ ...row, work: IDLE });

test('looks for the approval when the row says, and drops it at the deadline, once', async () => {
  const { billing, request } = await requestChange();
  await living(time, billing, async () => {
    await passTo(time, request.expiresAt + HOUR_MS);
    await until(() => billing.work.request === null);
  });
  const times = billing.timesOf('check_approval');
  expect(times[0]).toBeGreaterThanOrEqual(request.lookAt);
  expect(times.at(-1)).toBeGreaterThanOrEqual(request.expiresAt);
  expect(times.slice(0, -1).every((at) => at < request.expiresAt)).toBe(true);
  expect(times.length).toBeGreaterThan(2);
  expect(billing.written).toEqual(['dropped']);
});

test('an approval that nobody told of is found by a look, and comes at the boundary, not before', async () => {
  const { billing, request, end } = await requestChange();
  billing.shows.approved = true;
  await living(time, billing, async () => {
    await passTo(time, request.lookAt + HOUR_MS);
    await until(() => billing.row.scheduled !== null);
    await passTo(time, end - HOUR_MS);
    expect(billing.row.planSlug).toBe('pro');
    await passTo(time, end + HOUR_MS);
    await until(() => billing.row.currentPeriodEnd > end);
  });
  expect(billing.timesOf('check_approval')).toHaveLength(1);
  expect(billing.timesOf('read_back')[0]).toBeGreaterThanOrEqual(end);
  expect(billing.written).toEqual(['confirmed', 'turned']);
  expect(billing.row.planSlug).toBe('large');
});

test('an approval that a webhook has written is not looked for', async () => {
  const { billing, request } = await requestChange();
  await living(time, billing, async (sub) => {
    const scheduled = { planSlug: 'large', seats: 5 };
    billing.row = { ...billing.row, work: IDLE, scheduled, scheduledInterval: 'month' };
    await time.poke(sub);
    await passTo(time, request.expiresAt + HOUR_MS);
  });
  expect(billing.requests).toEqual([]);
});

test.each<Luck>(['crash before', 'crash after'])(
  'a look goes on after a %s, with one entry',
  async (crash) => {
    const { billing, request } = await requestChange(crash);
    billing.shows.approved = true;
    await living(time, billing, async () => {
      await passTo(time, request.lookAt + HOUR_MS);
      await until(() => billing.row.scheduled !== null);
    });
    expect(billing.written).toEqual(['confirmed']);
  },
);

test('a look that fails for good leaves the lock free: a withdrawal goes through, and nothing is looked for', async () => {
  const { billing, request } = await requestChange(
    ...Array.from({ length: 50 }, () => 'fails for good' as const),
  );
  await living(time, billing, async (sub) => {
    await passTo(time, request.lookAt + 1_000);
    await until(() => billing.requests.length > 0);
    expect(await time.command(sub, acceptLocal(billing, withdrawn))).toBe('applied');
    expect(billing.work.request).toBeNull();
    await passTo(time, request.expiresAt + HOUR_MS);
  });
  expect(billing.written).toEqual([]);
  expect(billing.carried).toHaveLength(1);
});

test('a look that fails for good is taken again', async () => {
  const { billing, request } = await requestChange('fails for good', 'fails for good', 'fails for good');
  billing.shows.approved = true;
  await living(time, billing, async () => {
    await passTo(time, request.lookAt + HOUR_MS);
    await until(() => billing.row.scheduled !== null);
  });
  expect(billing.timesOf('check_approval')).toHaveLength(4);
  expect(billing.written).toEqual(['confirmed']);
});

test('a request whose outcome nobody knows is pending, and is settled by its timer', async () => {
  const { billing } = await requestChange('in doubt');
  let retryAt = 0;
  await living(time, billing, async (sub) => {
    expect(await time.command(sub, atProvider())).toBe('pending');
    retryAt = billing.work.unsettled?.retryAt ?? 0;
    await passTo(time, retryAt + 60_000);
    await until(() => billing.work.unsettled === null);
    expect(await time.command(sub, acceptLocal(billing, withdrawn))).toBe('applied');
  });
  expect(billing.timesOf('settle_call')[0]).toBeGreaterThanOrEqual(retryAt);
  expect(billing.written).toEqual(['settled']);
});
