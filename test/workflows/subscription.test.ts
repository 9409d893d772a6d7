import { activityInfo } from '@temporalio/activity';
import { DAY_MS } from '../../src/domain/instant';
import type { SubscriptionInput } from '../../workflows/messages';
import {
  providerKey,
  subscriptionAwaitsKey,
  subscriptionPlanKey,
  subscriptionStatusKey,
  workspaceIdKey,
} from '../../workflows/search-attributes';
import { FakeBilling, monthlyView } from './fake-billing';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { SkippedTime } from './time-skipping';

const time = useStarted(() => SkippedTime.start());

let count = 0;
function input(): SubscriptionInput {
  count += 1;
  return { workspaceId: 'org_test', environment: 'sandbox', subscriptionId: `sub_${count}` };
}

/** Returns noon of the 31st, or of the month's last day, for the months after an instant. */
function monthEnds(after: number, howMany: number): number[] {
  const found: number[] = [];
  for (let month = new Date(after).getUTCMonth(); found.length < howMany; month += 1) {
    const end = Date.UTC(new Date(after).getUTCFullYear(), month + 1, 0, 12);
    if (end > after) found.push(end);
  }
  return found;
}

test('renews three years of months from an anchor on the 31st, each boundary once and on time', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(Date.UTC(2026, 0, 31, 12), now));
  billing.endAfter = 36;
  const boundaries = monthEnds(now, 36);
  await runFor(billing, sub, 1_110 * DAY_MS);
  expect(billing.taken).toEqual(
    boundaries.map((boundary) => `${sub.subscriptionId}:turn_period:${boundary}`),
  );
  expect(billing.calls).toBe(36);
  expect(Math.min(...billing.late)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...billing.late)).toBeLessThan(DAY_MS);
});

test('takes a renewal that is spread after its delay, for the period that began at the boundary', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const anchor = now - DAY_MS;
  const billing = new FakeBilling(monthlyView(anchor, now, { renewalDelay: 90_000 }));
  billing.endAfter = 3;
  const first = billing.row.currentPeriodEnd;
  await runFor(billing, sub, 95 * DAY_MS);
  expect(billing.taken).toHaveLength(3);
  expect(billing.taken[0]).toBe(`${sub.subscriptionId}:turn_period:${first}`);
  expect(Math.min(...billing.late)).toBeGreaterThanOrEqual(90_000);
});

test('closes a history that has grown long, and goes on in a new run without reading the row again', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now - DAY_MS, now));
  billing.endAfter = 24;
  const last = await time.working(billing.activities, async () => {
    const first = await time.poke(sub);
    await time.pass(2 * 366 * DAY_MS);
    await time.completed(first.workflowId);
    return time.client.workflow.getHandle(first.workflowId).describe();
  });
  expect(last.status.name).toBe('COMPLETED');
  expect(last.raw.workflowExecutionInfo?.firstRunId).not.toBe(last.runId);
  expect(last.historyLength).toBeLessThan(110);
  expect(billing.loads).toBe(1);
});

test('ends a trial, and then renews from its end', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const trialEnd = now + 14 * DAY_MS;
  const billing = new FakeBilling({
    ...monthlyView(trialEnd, trialEnd),
    status: 'trialing',
    trialEnd,
    currentPeriodStart: now,
    currentPeriodEnd: trialEnd,
  });
  billing.endAfter = 2;
  const firstPaidEnd = monthlyView(trialEnd, trialEnd).currentPeriodEnd;
  await runFor(billing, sub, 50 * DAY_MS);
  expect(billing.taken).toEqual([
    `${sub.subscriptionId}:end_trial:${trialEnd}`,
    `${sub.subscriptionId}:turn_period:${firstPaidEnd}`,
  ]);
});

test('catches up every period that it missed, one at a time', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const anchor = now - 200 * DAY_MS;
  const billing = new FakeBilling(monthlyView(anchor, anchor));
  const missed: string[] = [];
  for (let { row } = billing; row.currentPeriodEnd <= now; row = monthlyView(anchor, row.currentPeriodEnd)) {
    missed.push(`${sub.subscriptionId}:turn_period:${row.currentPeriodEnd}`);
  }
  billing.endAfter = missed.length;
  await runFor(billing, sub, 0);
  expect(missed).toHaveLength(6);
  expect(billing.taken).toEqual(missed);
});

test('goes on until a step that fails succeeds, and takes it once', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now - 2 * DAY_MS, now));
  billing.failures = 3;
  billing.endAfter = 1;
  await runFor(billing, sub, 32 * DAY_MS);
  expect(billing.calls).toBe(4);
  expect(billing.taken).toHaveLength(1);
});

test('an unpaid renewal becomes past due, goes on renewing, and expires', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now - DAY_MS, now, { nextPeriodIsFree: false }));
  const [first, second] = [billing.row.currentPeriodEnd, endAfter(billing)];
  const pastDue = first + 7 * DAY_MS;
  await runFor(billing, sub, 80 * DAY_MS);
  expect(billing.taken).toEqual([
    `${sub.subscriptionId}:turn_period:${first}`,
    `${sub.subscriptionId}:become_past_due:${pastDue}`,
    `${sub.subscriptionId}:turn_period:${second}`,
    `${sub.subscriptionId}:expire:${pastDue + 30 * DAY_MS}`,
  ]);
  expect(billing.row.status).toBe('expired');
});

test('the time of a subscription that is not paid yet is left to its checkout', async () => {
  const now = await time.environment.currentTimeMs();
  const until = now + DAY_MS;
  const billing = new FakeBilling(monthlyView(now, now, { status: 'incomplete', incompleteUntil: until }));
  await runFor(billing, input(), 0);
  expect(billing.taken).toEqual([]);
});

test('a poke that comes while the row is being read has it read again', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now - DAY_MS, now));
  const reading = gate();
  const poked = gate();
  const activities = {
    ...billing.activities,
    loadSubscription: async () => {
      const asItWas = await billing.loadSubscription();
      if (billing.loads > 1) return asItWas;
      reading.open();
      await poked.opened;
      return asItWas;
    },
  };
  await time.working(activities, async () => {
    const handle = await time.poke(sub);
    await reading.opened;
    billing.row = { ...billing.row, status: 'cancelled' };
    await time.poke(sub);
    poked.open();
    await time.completed(handle.workflowId);
  });
  expect(billing.loads).toBe(2);
  expect(billing.taken).toEqual([]);
});

test('a poke that comes while the row is being read for the last time in a long run has the next run read it', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now - DAY_MS, now));
  const readings = 14;
  const activities = {
    ...billing.activities,
    loadSubscription: async () => {
      // Postgres is down long enough that a queued activity reads the row; signals arrive in the meantime.
      if (activityInfo().isLocal) throw Object.assign(new Error('The database is away.'), { stack: '' });
      const asItWas = await billing.loadSubscription();
      if (asItWas?.status === 'cancelled') return asItWas;
      if (billing.loads === readings) billing.row = { ...billing.row, status: 'cancelled' };
      await time.poke(sub);
      return asItWas;
    },
  };
  await time.working(activities, async () => {
    const first = await time.poke(sub);
    await time.completed(first.workflowId);
    const last = await time.client.workflow.getHandle(first.workflowId).describe();
    expect(last.raw.workflowExecutionInfo?.firstRunId).not.toBe(last.runId);
  });
  expect(billing.loads).toBe(readings + 1);
});

test('a sandbox that is ahead has its boundary that much earlier, and an advance moves it', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const ahead = 10 * DAY_MS;
  const billing = new FakeBilling(monthlyView(now, now, { clockOffset: ahead }));
  const [firstEnd, secondEnd] = [billing.row.currentPeriodEnd, endAfter(billing)];
  await time.working(billing.activities, async () => {
    const handle = await time.poke(sub);
    await until(() => billing.loads === 1);
    await time.pass(firstEnd - ahead - now - DAY_MS);
    expect(billing.taken).toEqual([]);
    await time.pass(DAY_MS + 60_000);
    await until(() => billing.taken.length === 1);

    billing.endAfter = 2;
    billing.row = { ...billing.row, clockOffset: ahead + 40 * DAY_MS };
    const before = await time.environment.currentTimeMs();
    await time.poke(sub);
    await until(() => billing.taken.length === 2);
    expect((await time.environment.currentTimeMs()) - before).toBeLessThan(DAY_MS);
    await time.completed(handle.workflowId);
  });
  expect(billing.taken).toEqual(
    [firstEnd, secondEnd].map((boundary) => `${sub.subscriptionId}:turn_period:${boundary}`),
  );
});

test('the workflow says in its details and search attributes what it waits for', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(Date.UTC(2026, 0, 31), now));
  await time.working(billing.activities, async () => {
    const handle = await time.poke(sub);
    await until(async () => (await details(handle)) !== '');
    expect(await details(handle)).toMatch(/^Active on pro × 5, renews \d+ [A-Z][a-z]{2} 20\d\d$/);
    const { typedSearchAttributes, status } = await handle.describe();
    expect(status.name).toBe('RUNNING');
    expect(typedSearchAttributes.get(workspaceIdKey)).toBe('org_test');
    expect(typedSearchAttributes.get(providerKey)).toBe('internal');
    expect(typedSearchAttributes.get(subscriptionStatusKey)).toBe('active');
    expect(typedSearchAttributes.get(subscriptionPlanKey)).toBe('pro');
    expect(typedSearchAttributes.get(subscriptionAwaitsKey)).toBe('renewal');
    const { events = [] } = await handle.fetchHistory();
    const summaries = (events ?? []).map(({ userMetadata }) => userMetadata?.summary?.data?.toString());
    expect(summaries).toContain('"Read the row"');
    expect(summaries).toContain('"The billing period ends."');
    billing.row = { ...billing.row, cancelAtPeriodEnd: true };
    await time.poke(sub);
    await until(
      async () => (await handle.describe()).typedSearchAttributes.get(subscriptionAwaitsKey) === 'end',
    );
    billing.row = { ...billing.row, status: 'cancelled' };
    await time.poke(sub);
    await time.completed(handle.workflowId);
    const ended = (await handle.describe()).typedSearchAttributes;
    expect(ended.get(subscriptionStatusKey)).toBe('cancelled');
    expect(ended.get(subscriptionAwaitsKey)).toBeUndefined();
  });
  expect(billing.calls).toBe(0);
});

test('there is nothing to do for a row that is gone', async () => {
  const billing = new FakeBilling(monthlyView(0, 0));
  const activities = { ...billing.activities, loadSubscription: () => Promise.resolve(null) };
  await time.working(activities, async () => time.completed((await time.poke(input())).workflowId));
  expect(billing.calls).toBe(0);
});

/** Runs the workflow until the fake's row is final. */
async function runFor(billing: FakeBilling, sub: SubscriptionInput, milliseconds: number): Promise<void> {
  await time.working(billing.activities, async () => {
    const { workflowId } = await time.poke(sub);
    if (milliseconds > 0) await time.pass(milliseconds);
    await time.completed(workflowId);
  });
}

function endAfter(billing: FakeBilling): number {
  return monthlyView(billing.row.billingAnchor, billing.row.currentPeriodEnd).currentPeriodEnd;
}

async function details(handle: { query<T>(name: string): Promise<T> }): Promise<string> {
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
