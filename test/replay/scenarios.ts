import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { WorkflowHandle } from '@temporalio/client';
import { DAY_MS } from '../../src/domain/instant';
import type { SubscriptionInput } from '../../workflows/messages';
import { until } from '../support/until';
import { FakeBilling, monthlyView, type FakeCommand } from '../workflows/fake-billing';
import type { SkippedTime } from '../workflows/time-skipping';

/** Produces a history to be stored, as JSON text. */
export type Scenario = (time: SkippedTime, input: SubscriptionInput) => Promise<string>;

const MONTH_AND_MORE = 32 * DAY_MS;

/** Replay scenarios of subscriptions: a stored history for each path of their workflow. */
export const subscriptionScenarios: Readonly<Record<string, Scenario>> = {
  /** A run that sleeps a month, turns the period and continues as new. */
  'period-turned': (time, input) =>
    firstRun(time, input, { row: (now) => monthlyView(now - 3 * DAY_MS, now), pass: MONTH_AND_MORE }),

  'trial-ended': (time, input) => firstRun(time, input, { row: trialView, pass: 15 * DAY_MS }),

  /** Half a year of missed periods, one after the other in one run. */
  'caught-up': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now - 200 * DAY_MS, now - 200 * DAY_MS));
    billing.endAfter = 6;
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  /** Pokes during its sleep: the sandbox's clock is advanced, then the subscription ends. */
  'poked-and-finished': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now - 3 * DAY_MS, now));
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await until(() => billing.loads === 1);
      await time.pass(DAY_MS);
      billing.row = { ...billing.row, clockOffset: 5 * DAY_MS };
      await time.poke(input);
      await until(() => billing.loads === 2);
      await time.pass(DAY_MS);
      await end(time, input, billing);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  cancelled: (time, input) => commanded(time, input, [{ kind: 'cancel' }]),

  upgraded: (time, input) => commanded(time, input, [{ kind: 'upgrade', planSlug: 'team' }]),

  'downgrade-withdrawn': (time, input) =>
    commanded(time, input, [{ kind: 'downgrade', planSlug: 'starter' }, { kind: 'withdraw' }]),

  refused: (time, input) => commanded(time, input, [{ kind: 'refused' }]),

  /** A downgrade scheduled for the renewal, which then applies it. */
  'downgraded-at-renewal': (time, input) =>
    firstRun(time, input, {
      row: (now) => monthlyView(now - 3 * DAY_MS, now),
      commands: [{ kind: 'downgrade', planSlug: 'starter' }],
      pass: MONTH_AND_MORE,
    }),

  /** An unpaid period becomes past due; a payment arrives in time. */
  recovered: async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now, now, { paymentDueAt: now + DAY_MS }));
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await time.pass(2 * DAY_MS);
      await until(() => billing.loads === 2);
      await send(time, input, billing, { kind: 'pay' });
      await end(time, input, billing);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  /** No payment arrives; the recorded run is the last one, in which it expires. */
  expired: async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now, now, { paymentDueAt: now + DAY_MS }));
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await time.pass(40 * DAY_MS);
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  /** A command finds the period over before the workflow does, and turns it first. */
  'command-after-boundary': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const ahead = 45 * DAY_MS;
    const billing = new FakeBilling(monthlyView(now, now));
    const activities = {
      ...billing.activities,
      runOperation: (request: Parameters<typeof billing.runOperation>[0]) =>
        billing.runOperation({ ...request, at: Math.max(request.at, now + ahead) }),
    };
    return time.working(activities, async () => {
      const { signaledRunId, workflowId } = await time.poke(input);
      await until(() => billing.loads === 1);
      billing.row = { ...billing.row, clockOffset: ahead };
      await send(time, input, billing, { kind: 'upgrade', planSlug: 'team' });
      await until(async () => (await runOf(time, workflowId)) !== signaledRunId);
      const history = await historyOf(time.client.workflow.getHandle(workflowId, signaledRunId));
      await end(time, input, billing);
      return history;
    });
  },
};

function trialView(now: number) {
  const trialEnd = now + 14 * DAY_MS;
  return monthlyView(trialEnd, trialEnd, {
    status: 'trialing',
    trialEnd,
    currentPeriodStart: now,
    currentPeriodEnd: trialEnd,
  });
}

/** Records the history of a run from its start until it continues as new. */
async function firstRun(
  time: SkippedTime,
  input: SubscriptionInput,
  options: {
    row: (now: number) => FakeBilling['row'];
    commands?: readonly FakeCommand[];
    pass: number;
  },
): Promise<string> {
  const billing = new FakeBilling(options.row(await time.environment.currentTimeMs()));
  return time.working(billing.activities, async () => {
    const { signaledRunId, workflowId } = await time.poke(input);
    for (const command of options.commands ?? []) await send(time, input, billing, command);
    await time.pass(options.pass);
    await until(async () => (await runOf(time, workflowId)) !== signaledRunId);
    const history = await historyOf(time.client.workflow.getHandle(workflowId, signaledRunId));
    await end(time, input, billing);
    return history;
  });
}

/** Records the history of a run that receives commands and then ends. */
async function commanded(
  time: SkippedTime,
  input: SubscriptionInput,
  commands: readonly FakeCommand[],
): Promise<string> {
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now - DAY_MS, now));
  return time.working(billing.activities, async () => {
    const { workflowId } = await time.poke(input);
    await until(() => billing.loads === 1);
    for (const command of commands) await send(time, input, billing, command);
    if (billing.row.status !== 'cancelled') await end(time, input, billing);
    await time.completed(workflowId);
    return historyOf(time.client.workflow.getHandle(workflowId));
  });
}

export async function send(
  time: SkippedTime,
  input: SubscriptionInput,
  billing: FakeBilling,
  command: FakeCommand,
): Promise<void> {
  const operationId = `op_${command.kind}`;
  billing.accept(operationId, command);
  const sent = time.command(input, { operationId, attempt: `attempt_of_${operationId}` });
  await (command.kind === 'refused' ? expect(sent).rejects.toThrow() : sent);
}

async function runOf(time: SkippedTime, workflowId: string): Promise<string> {
  return (await time.client.workflow.getHandle(workflowId).describe()).runId;
}

export async function end(time: SkippedTime, input: SubscriptionInput, billing: FakeBilling): Promise<void> {
  billing.row = { ...billing.row, status: 'cancelled' };
  const { workflowId } = await time.poke(input);
  await time.completed(workflowId);
}

export async function historyOf(handle: WorkflowHandle): Promise<string> {
  return historyToJSON(await handle.fetchHistory());
}
