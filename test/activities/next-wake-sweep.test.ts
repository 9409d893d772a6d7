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

/** Creates a sweep whose first subscription's workflow accepts no signal. */
function sweeping(attempt: number) {
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
        if (subscriptionId === 'sub_0')
          return Promise.reject(new Error('The workflow has too many signals.'));
        signalled.push(subscriptionId);
        return Promise.resolve();
      },
      checkout: nothing,
      refund: nothing,
      erasure: nothing,
      reschedule: nothing,
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
