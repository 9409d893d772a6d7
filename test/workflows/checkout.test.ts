import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import type { CheckoutActivities, CheckoutView } from '../../workflows/activity-types';
import type { CheckoutInput } from '../../workflows/messages';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { SkippedTime } from './time-skipping';

const time = useStarted(() => SkippedTime.start());

/** A checkout in memory. */
class FakeCheckout {
  loads = 0;
  failures = 0;
  /** When it expired, in the workspace's time. */
  readonly expired: number[] = [];
  constructor(public view: CheckoutView | null) {}

  readonly activities: CheckoutActivities = {
    reserveCheckout: () => Promise.resolve(null),
    loadCheckout: () => {
      this.loads += 1;
      return Promise.resolve(this.view);
    },
    expireCheckout: ({ at }) => {
      if (this.failures > 0) {
        this.failures -= 1;
        return Promise.reject(new Error('The database is away.'));
      }
      if (this.view?.open === true && at >= this.view.expiresAt) {
        this.expired.push(at);
        this.view = { ...this.view, open: false };
      }
      return Promise.resolve(this.view);
    },
  };
}

function input(): CheckoutInput {
  return { workspaceId: 'org_test', environment: 'sandbox', checkoutId: `chk_${randomUUID()}` };
}

test('expires at its deadline, once, however often the activity fails first', async () => {
  const expiresAt = (await time.environment.currentTimeMs()) + DAY_MS;
  const fake = new FakeCheckout({ open: true, expiresAt, clockOffset: 0 });
  fake.failures = 2;
  await time.working(fake.activities, async () => {
    const { workflowId } = await time.pokeCheckout(input());
    await until(() => fake.loads === 1);
    await time.pass(DAY_MS - 60_000);
    expect(fake.expired).toEqual([]);
    await time.pass(120_000);
    await time.completed(workflowId);
  });
  expect(fake.expired).toHaveLength(1);
  expect(fake.expired[0]).toBeGreaterThanOrEqual(expiresAt);
});

test('ends when it is paid, and does not expire', async () => {
  const expiresAt = (await time.environment.currentTimeMs()) + DAY_MS;
  const fake = new FakeCheckout({ open: true, expiresAt, clockOffset: 0 });
  const checkout = input();
  await time.working(fake.activities, async () => {
    const { workflowId } = await time.pokeCheckout(checkout);
    await until(() => fake.loads === 1);
    fake.view = { open: false, expiresAt, clockOffset: 0 };
    await time.pokeCheckout(checkout);
    await time.completed(workflowId);
  });
  expect(fake.expired).toEqual([]);
});

test('a sandbox that is advanced beyond the deadline has it expire at once', async () => {
  const expiresAt = (await time.environment.currentTimeMs()) + 10 * DAY_MS;
  const fake = new FakeCheckout({ open: true, expiresAt, clockOffset: 0 });
  const checkout = input();
  await time.working(fake.activities, async () => {
    const { workflowId } = await time.pokeCheckout(checkout);
    await until(() => fake.loads === 1);
    fake.view = { open: true, expiresAt, clockOffset: 20 * DAY_MS };
    await time.pokeCheckout(checkout);
    await time.completed(workflowId);
  });
  expect(fake.expired).toHaveLength(1);
  expect(await time.environment.currentTimeMs()).toBeLessThan(expiresAt);
});

test('there is nothing to do for a checkout that is not there', async () => {
  const fake = new FakeCheckout(null);
  await time.working(fake.activities, async () => {
    await time.completed((await time.pokeCheckout(input())).workflowId);
  });
  expect(fake.loads).toBe(1);
});
