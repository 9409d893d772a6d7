import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { monthlyView } from './fake-billing';
import { FakeProviderReading, IDLE, type Luck } from './fake-provider-reading';
import { acceptLocal, atProvider, living, passTo } from './provider-living';
import { SkippedTime } from './time-skipping';

const time = useStarted(() => SkippedTime.start());

/**
 * Returns a subscription of provider C that does not renew and that the provider has not ended, with the given activity
 * outcomes.
 */
async function notRenewing(...luck: Luck[]) {
  const now = await time.environment.currentTimeMs();
  const billing = new FakeProviderReading(
    monthlyView(now - DAY_MS, now, { provider: 'provider_c', cancelAtPeriodEnd: true, work: IDLE }),
  );
  billing.luck = luck;
  billing.shows = { approved: false, turned: false, over: false, paid: false };
  return { billing, end: billing.row.currentPeriodEnd };
}

test('it is active until the provider has ended it: read at the boundary, and later and later', async () => {
  const { billing, end } = await notRenewing();
  await living(time, billing, async () => {
    await passTo(time, end - MINUTE_MS);
    expect(billing.requests).toEqual([]);
    await passTo(time, end + 2 * HOUR_MS);
    await until(() => billing.timesOf('read_back').length >= 4);
    expect(billing.row.status).toBe('active');
    billing.shows.over = true;
    await passTo(time, end + DAY_MS);
    await until(() => billing.row.status === 'cancelled');
  });
  const [first = 0, second = 0, third = 0, fourth = 0] = billing.timesOf('read_back');
  expect(first).toBeGreaterThanOrEqual(end);
  expect(second - first).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  expect(third - second).toBeGreaterThanOrEqual(15 * MINUTE_MS);
  expect(fourth - third).toBeGreaterThanOrEqual(HOUR_MS);
  expect(billing.written).toEqual(['ended']);
});

test('the end that its webhook has written is not read back, and the workflow is over', async () => {
  const { billing, end } = await notRenewing();
  await living(time, billing, async (sub) => {
    billing.row = { ...billing.row, status: 'cancelled' };
    const { workflowId } = await time.poke(sub);
    await time.completed(workflowId);
    await passTo(time, end + HOUR_MS);
  });
  expect(billing.requests).toEqual([]);
});

test.each<Luck>(['crash before', 'crash after'])(
  'a reading goes on after a %s, and ends it once',
  async (crash) => {
    const { billing, end } = await notRenewing(crash);
    billing.shows.over = true;
    await living(time, billing, async () => {
      await passTo(time, end + HOUR_MS);
      await until(() => billing.row.status === 'cancelled');
    });
    expect(billing.written).toEqual(['ended']);
  },
);

test('one that renews is read at each boundary, once', async () => {
  const { billing, end } = await notRenewing();
  billing.row = { ...billing.row, cancelAtPeriodEnd: false };
  billing.shows.turned = true;
  const ends: number[] = [];
  await living(time, billing, async () => {
    for (let next = end; ends.length < 3; next = billing.row.currentPeriodEnd) {
      ends.push(next);
      await passTo(time, next + HOUR_MS);
      await until(() => billing.row.currentPeriodEnd > next);
    }
  });
  const times = billing.timesOf('read_back');
  expect(times).toHaveLength(3);
  for (const [index, at] of times.entries()) expect(at).toBeGreaterThanOrEqual(ends[index] ?? Infinity);
  expect(billing.written).toEqual(['turned', 'turned', 'turned']);
});

test('while the provider is late, a command goes through', async () => {
  const { billing, end } = await notRenewing();
  await living(time, billing, async (sub) => {
    await passTo(time, end + MINUTE_MS);
    await until(() => billing.work.lookAgainAt !== null);
    const local = acceptLocal(billing, (row) => ({ ...row, seats: 1 }));
    expect(await time.command(sub, local)).toBe('applied');
  });
  expect(billing.carried).toHaveLength(1);
});

test('a reading that fails for good leaves the lock free, and is taken again', async () => {
  const { billing, end } = await notRenewing('fails for good', 'fails for good');
  billing.shows.over = true;
  await living(time, billing, async () => {
    await passTo(time, end + HOUR_MS);
    await until(() => billing.row.status === 'cancelled');
  });
  expect(billing.timesOf('read_back')).toHaveLength(3);
  expect(billing.written).toEqual(['ended']);
});

test.each<[string, Luck[]]>([
  ['nobody can say what became of', ['in doubt']],
  ['its worker fails at', ['crash before', 'crash before', 'crash before']],
])('a reactivation that %s is pending, and settled by its timer', async (_, luck) => {
  const { billing } = await notRenewing(...luck);
  let retryAt = 0;
  await living(time, billing, async (sub) => {
    expect(await time.command(sub, atProvider())).toBe('pending');
    retryAt = billing.work.unsettled?.retryAt ?? 0;
    await passTo(time, retryAt + MINUTE_MS);
    await until(() => billing.work.unsettled === null);
  });
  expect(billing.timesOf('settle_call')[0]).toBeGreaterThanOrEqual(retryAt);
  expect(billing.written).toEqual(['settled']);
});

test('a cancel whose worker dies after the provider’s success is written down once', async () => {
  const { billing } = await notRenewing('crash after');
  await living(time, billing, async (sub) => {
    expect(await time.command(sub, atProvider())).toBe('applied');
  });
  expect(billing.written).toEqual(['settled']);
  expect(billing.carried).toHaveLength(1);
});

test('what is past due is read every hour, until it was paid', async () => {
  const { billing, end } = await notRenewing();
  const since = await time.environment.currentTimeMs();
  billing.row = {
    ...billing.row,
    status: 'past_due',
    pastDueSince: since,
    cancelAtPeriodEnd: false,
    work: { ...IDLE, pastDueReadAt: null },
  };
  await living(time, billing, async () => {
    await passTo(time, since + HOUR_MS - MINUTE_MS);
    expect(billing.requests).toEqual([]);
    for (const hours of [1, 2, 3]) {
      await passTo(time, since + hours * HOUR_MS + 10 * MINUTE_MS);
      await until(() => billing.timesOf('read_past_due').length === hours);
    }
    billing.shows.paid = true;
    await passTo(time, since + 5 * HOUR_MS);
    await until(() => billing.row.status === 'active');
    await passTo(time, end - MINUTE_MS);
  });
  expect(billing.timesOf('read_past_due')).toHaveLength(4);
  expect(billing.written).toEqual(['paid']);
});

test('what is past due is read once after a long leap of a sandbox’s clock, and a command does not wait for it', async () => {
  const { billing, end } = await notRenewing();
  const since = await time.environment.currentTimeMs();
  const row = { ...billing.row, status: 'past_due', pastDueSince: since, cancelAtPeriodEnd: false } as const;
  billing.row = { ...row, currentPeriodEnd: end + 400 * DAY_MS, work: { ...IDLE, pastDueReadAt: null } };
  await living(time, billing, async (sub) => {
    billing.row = { ...billing.row, clockOffset: 300 * DAY_MS };
    await time.poke(sub);
    await until(() => billing.timesOf('read_past_due').length === 1);
    const local = acceptLocal(billing, (before) => ({ ...before, seats: 1 }));
    expect(await time.command(sub, local)).toBe('applied');
  });
  expect(billing.timesOf('read_past_due')).toHaveLength(1);
});
