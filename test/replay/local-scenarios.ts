import { DAY_MS } from '../../src/domain/instant';
import { until } from '../support/until';
import { FakeBilling, monthlyView } from '../workflows/fake-billing';
import { end, historyOf, send, type Scenario } from './scenarios';

/** Replay scenarios of subscriptions whose transactions run as local activities in the workflow's own worker. */
export const localScenarios: Readonly<Record<string, Scenario>> = {
  /** Three renewals in one run. */
  'local-renewals': (time, input) => untilEnded(time, input, { steps: 3, pass: 95 * DAY_MS }),

  /** Half a year of missed periods: some as local activities, one through the queue, and so on. */
  'local-caught-up': (time, input) =>
    untilEnded(time, input, { steps: 6, pass: DAY_MS, missed: 200 * DAY_MS }),

  /** Enough renewals that a run continues as new and passes the row to the next run. */
  'local-long': (time, input) => untilEnded(time, input, { steps: 20, pass: 21 * 31 * DAY_MS }),

  /** Postgres is down for longer than a local activity retries: the step and the command go through the queue. */
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

  /** The search attributes change: a trial ends, the plan changes, the end is set. */
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

  /** Its sandbox's clock is advanced, so that it wakes earlier; a payment makes it wake later. */
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

/** Records the last run's history of a subscription that renews and is cancelled after `steps` steps. */
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
