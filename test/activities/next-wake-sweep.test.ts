import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createSweepActivities } from '../../activities/next-wake-sweep';
import type { SubscriptionJob } from '../../src/outbox/enqueue';

const jobs = Array.from({ length: 25 }, (_, index) => ({
  workspaceId: 'org_1',
  environment: 'sandbox' as const,
  subscriptionId: `sub_${index}`,
}));
const none = () => Promise.resolve([]);

/**
 * Creates a sweep in which the workflows of the first subscriptions accept no signal.
 *
 * @param refused how many
 * @param failure what their signals fail with
 */
function sweeping(attempt: number, refused = 1, failure = new Error('The workflow has too many signals.')) {
  const signalled: string[] = [];
  const logged: unknown[] = [];
  const logger = new DefaultLogger('WARN', ({ message, meta }) => logged.push([message, meta]));
  const nothing = () => Promise.resolve();
  const activities = createSweepActivities({
    overdueWakes: {
      subscriptions: () => Promise.resolve(jobs),
      checkouts: none,
      refunds: none,
      erasures: none,
    },
    signals: {
      subscription: ({ subscriptionId }: SubscriptionJob) => {
        if (jobs.slice(0, refused).some((job) => job.subscriptionId === subscriptionId))
          return Promise.reject(failure);
        signalled.push(subscriptionId);
        return Promise.resolve();
      },
      checkout: nothing,
      refund: nothing,
      erasure: nothing,
      reschedule: () => Promise.resolve(''),
    },
  });
  const swept: Promise<number> = new MockActivityEnvironment({ attempt }, { logger }).run(() =>
    activities.pokeOverdueSubscriptions(0),
  );
  return { swept, signalled, logged };
}

test('a workflow that takes no signal keeps no other from being signalled, and is tried again', async () => {
  const { swept, signalled, logged } = sweeping(1);
  await expect(swept).rejects.toThrow('1 of the subscriptions could not be signalled.');
  expect(signalled).toHaveLength(24);
  expect(logged).toContainEqual([
    'one of the subscriptions could not be signalled',
    expect.objectContaining({ ...jobs[0], error: expect.any(Error) as unknown }),
  ]);
});

test('it is left to the next sweep after some tries, so that this one continues with the other overdue workflows', async () => {
  expect(await sweeping(5).swept).toBe(24);
});

test('ten or more such workflows, the longest overdue of all, keep no other from being signalled either', async () => {
  const { swept, signalled } = sweeping(5, 12);
  expect(await swept).toBe(13);
  expect(signalled).toEqual(jobs.slice(12).map(({ subscriptionId }) => subscriptionId));
});

test.each([
  ['is unavailable', 14],
  ['is too busy', 8],
])('a Temporal that %s for ten signals is not sent the others', async (_, code) => {
  const failure = Object.assign(new Error('Not now.'), { code, details: '', metadata: {} });
  const { swept, signalled } = sweeping(1, 12, failure);
  await expect(swept).rejects.toThrow('10 of the subscriptions could not be signalled.');
  expect(signalled).toEqual([]);
});
