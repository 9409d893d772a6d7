import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { refusalOf } from '../../src/temporal/refusal';
import type { OperationCommand, SubscriptionInput } from '../../workflows/messages';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { monthlyView } from './fake-billing';
import { FakeProviderBilling, type FakeProviderCommand, type Luck } from './fake-provider-billing';
import { SkippedTime } from './time-skipping';
import { PREPARE_WINDOW_MS } from '../../src/domain/synchronizer-marker';

const scheduled = { planSlug: 'starter', seats: 5 };

const time = useStarted(() => SkippedTime.start());

function input(): SubscriptionInput {
  return { workspaceId: 'org_test', environment: 'sandbox', subscriptionId: `sub_${randomUUID()}` };
}

/** Returns a subscription of provider A with a scheduled downgrade and the given activity outcomes. */
async function downgrading(...luck: Luck[]): Promise<FakeProviderBilling> {
  const now = await time.environment.currentTimeMs();
  const billing = new FakeProviderBilling(
    monthlyView(now - DAY_MS, now, {
      provider: 'provider_a',
      scheduled,
      scheduledInterval: 'month',
      cancelAtPeriodEnd: false,
      work: { unsettled: null, request: null, sync: null, lookAgainAt: null },
    }),
  );
  billing.luck = luck;
  return billing;
}

function accept(billing: FakeProviderBilling, command: FakeProviderCommand): OperationCommand {
  const operationId = `op_${randomUUID()}`;
  billing.accept(operationId, command);
  return { operationId, attempt: randomUUID() };
}

/** Runs part of a test alongside the workflow, then ends the workflow. */
async function living(
  billing: FakeProviderBilling,
  work: (sub: SubscriptionInput) => Promise<void>,
): Promise<void> {
  const sub = input();
  const test = async (): Promise<void> => {
    await time.poke(sub);
    await work(sub);
    billing.row = { ...billing.row, status: 'cancelled', work: { ...billing.work, unsettled: null } };
    const { workflowId } = await time.poke(sub);
    await time.completed(workflowId);
  };
  await time.working(billing.billing, test, billing.providers);
}

async function passTo(instant: number): Promise<void> {
  await time.pass(Math.max(0, instant - (await time.environment.currentTimeMs())));
}

describe('the synchronizer', () => {
  test('prepares the provider within the window and reads it at the boundary, each once', async () => {
    const billing = await downgrading();
    const { currentPeriodEnd: end } = billing.row;
    await living(billing, async () => {
      await passTo(end + HOUR_MS);
      await until(() => billing.row.currentPeriodEnd > end);
    });
    const [prepare, turn, ...more] = billing.requests;
    expect([prepare?.what, turn?.what, more]).toEqual(['prepare_change', 'read_back', []]);
    expect(prepare?.at).toBeGreaterThanOrEqual(end - PREPARE_WINDOW_MS);
    expect(prepare?.at).toBeLessThan(end);
    expect(turn?.at).toBeGreaterThanOrEqual(end);
    expect(billing.effects).toEqual(['told of starter']);
    expect(billing.row).toMatchObject({ planSlug: 'starter', scheduled: null });
  });

  test.each<Luck>(['crash before', 'crash after'])('goes on after a %s, with one effect', async (crash) => {
    const billing = await downgrading(crash, crash);
    const { currentPeriodEnd: end } = billing.row;
    await living(billing, async () => {
      await passTo(end + HOUR_MS);
      await until(() => billing.row.currentPeriodEnd > end);
    });
    expect(billing.steps).toEqual(['prepare_change', 'read_back']);
    expect(billing.effects).toEqual(['told of starter']);
    expect(billing.row.planSlug).toBe('starter');
  });

  test('that has failed is tried hourly, and the plan does not change before the boundary', async () => {
    const billing = await downgrading('fails', 'fails');
    const { currentPeriodEnd: end } = billing.row;
    await living(billing, async () => {
      await passTo(end - 10 * 60_000);
      await until(() => billing.work.sync?.state === 'prepared');
      expect(billing.row.planSlug).toBe('pro');
      await passTo(end + HOUR_MS);
      await until(() => billing.row.currentPeriodEnd > end);
    });
    const [first = 0, second = 0, third = 0] = billing.requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(HOUR_MS);
    expect(third - second).toBeGreaterThanOrEqual(HOUR_MS);
    expect(billing.effects).toEqual(['told of starter']);
    expect(billing.row.planSlug).toBe('starter');
  });

  test('that never succeeds leaves the plan, and aims at the next boundary', async () => {
    const billing = await downgrading(...Array.from({ length: 6 }, () => 'fails' as const));
    const { currentPeriodEnd: end } = billing.row;
    await living(billing, async () => {
      await passTo(end + HOUR_MS);
      await until(() => billing.row.currentPeriodEnd > end);
      expect(billing.row).toMatchObject({ planSlug: 'pro', scheduled });
      expect(billing.effects).toEqual([]);
      const { currentPeriodEnd: next } = billing.row;
      billing.luck = [];
      await passTo(next + HOUR_MS);
      await until(() => billing.row.currentPeriodEnd > next);
    });
    expect(billing.effects).toEqual(['told of starter']);
    expect(billing.row.planSlug).toBe('starter');
  });

  test('a cancel goes through between two tries, and nothing is prepared any more', async () => {
    const billing = await downgrading('fails');
    const { currentPeriodEnd: end } = billing.row;
    await living(billing, async (sub) => {
      await passTo(end - PREPARE_WINDOW_MS + 60_000);
      await until(() => billing.work.sync?.state === 'failed');
      expect(await time.command(sub, accept(billing, 'at provider'))).toBe('applied');
      await passTo(end + HOUR_MS);
      await until(() => billing.row.status === 'cancelled');
    });
    expect(billing.steps).toEqual(['prepare_change', 'command', 'read_back']);
    expect(billing.effects).toEqual(['cancelled']);
  });

  test('whose activity fails for good leaves the lock free, and is taken again', async () => {
    const billing = await downgrading('fails for good', 'fails for good', 'fails for good');
    const { currentPeriodEnd: end } = billing.row;
    await living(billing, async (sub) => {
      await passTo(end - PREPARE_WINDOW_MS + 1_000);
      await until(() => billing.requests.length > 0);
      expect(await time.command(sub, accept(billing, 'local'))).toBe('applied');
      expect(billing.row.scheduled).toBeNull();
      expect(billing.effects).toEqual([]);
      billing.row = { ...billing.row, scheduled, scheduledInterval: 'month' };
      await time.poke(sub);
      await passTo(end + HOUR_MS);
      await until(() => billing.row.currentPeriodEnd > end);
    });
    expect(billing.effects).toEqual(['told of starter']);
    expect(billing.row.planSlug).toBe('starter');
  });
});

describe('a command at the provider', () => {
  test('is carried out once, also when its worker dies on the way', async () => {
    const billing = await downgrading('crash before', 'crash after');
    const sent = accept(billing, 'at provider');
    await living(billing, async (sub) => {
      expect(await time.command(sub, sent)).toBe('applied');
    });
    expect(billing.steps).toEqual(['command']);
    expect(billing.effects).toEqual(['cancelled']);
    expect(billing.carried).toEqual([sent.operationId]);
  });

  test.each<[string, Luck[]]>([
    ['nobody can say what became of', ['in doubt']],
    ['its worker fails at', ['crash before', 'crash before', 'crash before']],
  ])('that %s is pending, and settled by its timer', async (_, luck) => {
    const billing = await downgrading(...luck);
    const sent = accept(billing, 'at provider');
    let retryAt = 0;
    await living(billing, async (sub) => {
      expect(await time.command(sub, sent)).toBe('pending');
      expect(billing.effects).toEqual([]);
      expect(await time.command(sub, accept(billing, 'local'))).toBe('applied');
      retryAt = billing.work.unsettled?.retryAt ?? 0;
      await passTo(retryAt + 60_000);
      await until(() => billing.work.unsettled === null);
    });
    const settled = billing.requests.find(({ what }) => what === 'settle_call');
    expect(settled?.at).toBeGreaterThanOrEqual(retryAt);
    expect(billing.effects).toEqual(['cancelled']);
  });

  test('does not hide a change that a signal reports while its answer is on the way', async () => {
    const billing = await downgrading();
    await living(billing, async (sub) => {
      const soon = (await time.environment.currentTimeMs()) + HOUR_MS;
      billing.beforeAnswer = async () => {
        billing.readAgainAt(soon);
        await time.poke(sub);
      };
      expect(await time.command(sub, accept(billing, 'at provider'))).toBe('applied');
      await passTo(soon + 60_000);
      await until(() => billing.steps.includes('read_back'));
    });
    expect(billing.steps).toEqual(['command', 'read_back']);
  });

  test('that the provider refuses is refused to its sender, and its lock is free', async () => {
    const billing = await downgrading();
    const sent = accept(billing, 'refused');
    await living(billing, async (sub) => {
      const failure = await time.command(sub, sent).catch((error: unknown) => error);
      if (!(failure instanceof WorkflowUpdateFailedError)) throw new Error('It was not refused.');
      expect(refusalOf(failure)).toMatchObject({
        attempt: sent.attempt,
        error: { code: 'payment_declined' },
      });
      expect(await time.command(sub, accept(billing, 'local'))).toBe('applied');
    });
    expect(billing.effects).toEqual([]);
    expect(billing.row.scheduled).toBeNull();
  });
});
