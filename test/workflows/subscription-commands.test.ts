import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { refusalOf } from '../../src/temporal/refusal';
import type { OperationCommand, SubscriptionInput } from '../../workflows/messages';
import { until } from '../support/until';
import { FakeBilling, monthlyView, type FakeCommand } from './fake-billing';
import { LostCommandError, SkippedTime } from './time-skipping';

let time: SkippedTime;
beforeAll(async () => {
  time = await SkippedTime.start();
});
afterAll(() => time.stop());

function input(): SubscriptionInput {
  return { workspaceId: 'org_test', environment: 'sandbox', subscriptionId: `sub_${randomUUID()}` };
}

function accept(billing: FakeBilling, command: FakeCommand): OperationCommand {
  const operationId = `op_${randomUUID()}`;
  billing.accept(operationId, command);
  return { operationId, attempt: randomUUID() };
}

/** Ends the run, so that nothing remains on the server. */
async function end(billing: FakeBilling, sub: SubscriptionInput): Promise<void> {
  billing.row = { ...billing.row, status: 'cancelled' };
  const { workflowId } = await time.poke(sub);
  await time.completed(workflowId);
}

const COMMANDS = {
  cancel: { kind: 'cancel' },
  upgrade: { kind: 'upgrade', planSlug: 'team' },
  downgrade: { kind: 'downgrade', planSlug: 'starter' },
  'withdrawal of a downgrade': { kind: 'withdraw' },
  payment: { kind: 'pay' },
} as const satisfies Record<string, FakeCommand>;

const MOMENTS = {
  'an hour before the boundary': -HOUR_MS,
  'a millisecond before the boundary': -1,
  'at the boundary': 0,
  'after the boundary': HOUR_MS,
} as const;

/** Runs a scenario; repeats it on another server if this one has lost its command. */
async function play(scenario: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await scenario();
      return;
    } catch (error) {
      if (!(error instanceof LostCommandError) || tries === 3) throw error;
      await time.stop();
      time = await SkippedTime.start();
    }
  }
}

describe.each(Object.entries(COMMANDS))('%s', (_, command) => {
  test.each(Object.entries(MOMENTS))('%s is done once, in the period of its instant', (_moment, from) =>
    play(async () => {
      const sub = input();
      const now = await time.environment.currentTimeMs();
      const scheduled = { planSlug: 'starter', seats: 5 };
      const billing = new FakeBilling(monthlyView(now, now, { scheduled }));
      const { currentPeriodEnd: boundary } = billing.row;
      const sent = accept(billing, command);
      await time.working(billing.activities, async () => {
        await time.poke(sub);
        await until(() => billing.loads === 1);
        await time.pass(boundary + from - now);
        expect(await time.command(sub, sent)).toBe('applied');
        if (command.kind !== 'cancel') {
          await time.pass(DAY_MS);
          await until(() => billing.taken.length === 1);
          await end(billing, sub);
        }
      });
      const [carried, ...more] = billing.carried;
      expect(more).toEqual([]);
      expect(carried?.at).toBeGreaterThanOrEqual(carried?.before.currentPeriodStart ?? Number.NaN);
      expect(carried?.at).toBeLessThan(carried?.before.currentPeriodEnd ?? Number.NaN);
      if (from >= 0)
        expect(carried?.before).toMatchObject({ currentPeriodStart: boundary, planSlug: 'starter' });
      if (from < -1) expect(carried?.before).toMatchObject({ currentPeriodEnd: boundary, planSlug: 'pro' });
      expect(billing.taken.length).toBeLessThanOrEqual(1);
      if (command.kind !== 'cancel') expect(billing.taken).toHaveLength(1);
    }),
  );
});

test('a command that finds a step overdue has it taken first', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now, now));
  const { currentPeriodEnd: boundary } = billing.row;
  const sent = accept(billing, { kind: 'upgrade', planSlug: 'team' });
  // The sandbox is advanced past the boundary. The activity knows this; the workflow does not.
  const ahead = 45 * DAY_MS;
  const activities = {
    ...billing.activities,
    runOperation: (request: Parameters<typeof billing.runOperation>[0]) =>
      billing.runOperation({ ...request, at: Math.max(request.at, now + ahead) }),
  };
  await time.working(activities, async () => {
    await time.poke(sub);
    await until(() => billing.loads === 1);
    billing.row = { ...billing.row, clockOffset: ahead };
    expect(await time.command(sub, sent)).toBe('applied');
    expect(billing.taken).toEqual([`${sub.subscriptionId}:turn_period:${boundary}`]);
    await end(billing, sub);
  });
  expect(billing.due).toBe(1);
  expect(billing.carried).toHaveLength(1);
  expect(billing.carried[0]?.before.currentPeriodStart).toBe(boundary);
});

test('a command starts the workflow that is not there, and ends with it where nothing is left to do', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now, now));
  const sent = accept(billing, { kind: 'cancel' });
  await time.working(billing.activities, async () => {
    expect(await time.command(sub, sent)).toBe('applied');
    await time.completed(`subscription/sandbox/${sub.subscriptionId}`);
    const late = accept(billing, { kind: 'upgrade', planSlug: 'team' });
    await expect(time.command(sub, late)).rejects.toThrow(WorkflowUpdateFailedError);
  });
  expect(billing.row).toMatchObject({ status: 'cancelled', planSlug: 'pro' });
});

test('a refusal tells its code, its attempt and its particulars, and the workflow goes on', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now, now));
  const refused = accept(billing, { kind: 'refused' });
  await time.working(billing.activities, async () => {
    const failure: unknown = await time.command(sub, refused).then(
      () => undefined,
      (error: unknown) => error,
    );
    const refusal = refusalOf(failure);
    expect(refusal?.attempt).toBe(refused.attempt);
    expect(refusal?.error).toMatchObject({
      code: 'capability_unavailable',
      status: 409,
      detail: 'Not now.',
      extra: { capability: { name: 'planChange' } },
    });
    expect(await time.command(sub, accept(billing, { kind: 'upgrade', planSlug: 'team' }))).toBe('applied');
    await end(billing, sub);
  });
  expect(billing.calls).toBe(2);
  expect(billing.row.planSlug).toBe('team');
});

test('a command goes on until its activity succeeds, and is done once', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now, now));
  billing.failures = 4;
  await time.working(billing.activities, async () => {
    const sent = accept(billing, { kind: 'upgrade', planSlug: 'team' });
    expect(await time.command(sub, sent)).toBe('applied');
    expect(await time.command(sub, { ...sent, attempt: 'again' })).toBe('applied');
    await end(billing, sub);
  });
  expect(billing.carried).toHaveLength(1);
});

test('commands on one subscription never overlap', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now, now));
  let under = 0;
  let most = 0;
  const activities = {
    ...billing.activities,
    runOperation: async (request: Parameters<typeof billing.runOperation>[0]) => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 10));
      under -= 1;
      return billing.runOperation(request);
    },
  };
  await time.working(activities, async () => {
    await time.poke(sub);
    const sent = Array.from({ length: 8 }, (_, index) =>
      accept(billing, { kind: 'upgrade', planSlug: `plan-${index}` }),
    );
    await Promise.all(sent.map((one) => time.command(sub, one)));
    await end(billing, sub);
  });
  expect(most).toBe(1);
  expect(billing.carried).toHaveLength(8);
});

test('a command without its members is not accepted', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const billing = new FakeBilling(monthlyView(now, now));
  await time.working(billing.activities, async () => {
    const { workflowId } = await time.poke(sub);
    const handle = time.client.workflow.getHandle(workflowId);
    await expect(handle.executeUpdate('runOperation', { args: [{}] })).rejects.toThrow(
      WorkflowUpdateFailedError,
    );
    await end(billing, sub);
  });
  expect(billing.calls).toBe(0);
});

test('a payment brings a past-due subscription back, and the next period is waited for', async () => {
  const sub = input();
  const now = await time.environment.currentTimeMs();
  const due = now + DAY_MS;
  const billing = new FakeBilling(monthlyView(now, now, { paymentDueAt: due }));
  await time.working(billing.activities, async () => {
    await time.poke(sub);
    await time.pass(2 * DAY_MS);
    await until(() => billing.taken.length === 1);
    await time.command(sub, accept(billing, { kind: 'pay' }));
    expect(billing.row).toMatchObject({ status: 'active', paymentDueAt: null });
    billing.endAfter = 2;
    await time.pass(31 * DAY_MS);
    await time.completed(`subscription/sandbox/${sub.subscriptionId}`);
  });
  expect(billing.taken.map((key) => key.split(':')[1])).toEqual(['become_past_due', 'turn_period']);
});
