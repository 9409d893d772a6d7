import { DAY_MS } from '../../src/domain/instant';
import { until } from '../support/until';
import { FakeBilling, monthlyView } from '../workflows/fake-billing';
import { end, historyOf, send, type Scenario } from './scenarios';

/** What is replayed of subscriptions whose transactions run in the workflow's own worker. */
export const localScenarios: Readonly<Record<string, Scenario>> = {
  /** Three renewals in one run. */
  'local-renewals': (time, input) => untilEnded(time, input, { steps: 3, pass: 95 * DAY_MS }),

  /** Half a year of missed periods: some in the worker, one by the queue, and so on. */
  'local-caught-up': (time, input) =>
    untilEnded(time, input, { steps: 6, pass: DAY_MS, missed: 200 * DAY_MS }),

  /** So many renewals that a run makes way for the next, which is given the row. */
  'local-long': (time, input) => untilEnded(time, input, { steps: 20, pass: 21 * 31 * DAY_MS }),

  /** Postgres is away for longer than a local activity tries: the step and the command go to the queue. */
  'local-failed': (time, input) => untilEnded(time, input, { steps: 1, pass: 32 * DAY_MS, failures: 5 }),

  'local-commands': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now - DAY_MS, now));
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await until(() => billing.loads === 1);
      await send(time, input, billing, { kind: 'upgrade', planSlug: 'team' });
      await send(time, input, billing, { kind: 'refused' });
      await send(time, input, billing, { kind: 'downgrade', planSlug: 'starter' });
      await time.pass(DAY_MS);
      await send(time, input, billing, { kind: 'cancel' });
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  /** What can be searched by changes: a trial ends, the plan changes, the end is set. */
  'searched-by': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const trial = { status: 'trialing', trialEnd: now + 3 * DAY_MS } as const;
    const billing = new FakeBilling(monthlyView(now, now, trial));
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await time.pass(4 * DAY_MS);
      await send(time, input, billing, { kind: 'upgrade', planSlug: 'team' });
      billing.row = { ...billing.row, cancelAtPeriodEnd: true };
      await time.poke(input);
      await send(time, input, billing, { kind: 'cancel' });
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  /** The clock of its sandbox is advanced, so that it wakes sooner; a payment, so that it wakes later. */
  'local-timer-moved': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now, now, { paymentDueAt: now + 20 * DAY_MS }));
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await until(() => billing.loads === 1);
      billing.row = { ...billing.row, clockOffset: 5 * DAY_MS };
      await time.poke(input);
      await until(() => billing.loads === 2);
      await send(time, input, billing, { kind: 'pay' });
      await time.pass(16 * DAY_MS);
      await end(time, input, billing);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },
};

/** The last run's history of a subscription that renews, and is cancelled after so many steps. */
async function untilEnded(
  ...[time, input, options]: [
    ...Parameters<Scenario>,
    { steps: number; pass: number; failures?: number; missed?: number },
  ]
): Promise<string> {
  const now = await time.environment.currentTimeMs();
  const missed = options.missed ?? 0;
  const billing = new FakeBilling(monthlyView(now - DAY_MS - missed, now - missed));
  billing.endAfter = options.steps;
  billing.failures = options.failures ?? 0;
  return time.working(billing.activities, async () => {
    const { workflowId } = await time.poke(input);
    await time.pass(options.pass);
    await time.completed(workflowId);
    return historyOf(time.client.workflow.getHandle(workflowId));
  });
}
