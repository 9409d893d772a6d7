import type { ErasureView } from '../../src/domain/erasure';
import { DAY_MS } from '../../src/domain/instant';
import type { CheckoutView } from '../../workflows/activity-types';
import { until } from '../support/until';
import { driftReporting } from '../workflows/fake-drift-report';
import { FakeRefund } from '../workflows/fake-refund';
import { historyOf, type Scenario } from './scenarios';

/** Replay scenarios of short workflows, such as checkouts, refunds, erasures and the sweep. */
export const shortScenarios: Readonly<Record<string, Scenario>> = {
  'checkout-paid': async (time, { subscriptionId, ...scope }) => {
    const expiresAt = (await time.environment.currentTimeMs()) + DAY_MS;
    const checkout = { ...scope, checkoutId: `chk_${subscriptionId}` };
    let loads = 0;
    let view: CheckoutView = { open: true, expiresAt, clockOffset: 0 };
    const activities = {
      loadCheckout: () => {
        loads += 1;
        return Promise.resolve(view);
      },
    };
    return time.working(activities, async () => {
      const { workflowId } = await time.pokeCheckout(checkout);
      await until(() => loads === 1);
      view = { ...view, open: false };
      await time.pokeCheckout(checkout);
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  'checkout-expired': async (time, { subscriptionId, ...scope }) => {
    const expiresAt = (await time.environment.currentTimeMs()) + DAY_MS;
    const view: CheckoutView = { open: true, expiresAt, clockOffset: 0 };
    const activities = {
      loadCheckout: () => Promise.resolve(view),
      expireCheckout: () => Promise.resolve({ ...view, open: false }),
    };
    return time.working(activities, async () => {
      const { workflowId } = await time.pokeCheckout({ ...scope, checkoutId: `chk_${subscriptionId}` });
      await time.pass(DAY_MS + 60_000);
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  refunded: (time, input) => refunded(time, input, new FakeRefund()),

  /** The provider does not answer, then answers pending, then done. */
  'refund-unknown-then-done': (time, input) => {
    const fake = new FakeRefund();
    fake.answers = [new Error('away'), new Error('away'), new Error('away'), { kind: 'pending' }];
    return refunded(time, input, fake);
  },

  /** The activity that calls the provider records its answer; the history contains only the answer's kind. */
  'refund-declined': (time, input) => {
    const fake = new FakeRefund();
    fake.answers = [{ kind: 'declined' }];
    return refunded(time, input, fake);
  },

  /** Batch by batch; a change in the meantime makes it start over. */
  rescheduled: async (time, { workspaceId, environment }) => {
    const afters: string[] = [];
    const activities = {
      rescheduleSubscriptions: async ({ after }: { after: string }) => {
        afters.push(after);
        if (afters.length === 2) await time.pokeReschedule({ workspaceId, environment });
        return { after: after === '' ? 'sub_200' : null, moved: 3 };
      },
    };
    return time.working(activities, async () => {
      const { workflowId } = await time.pokeReschedule({ workspaceId, environment });
      await time.completed(workflowId);
      const again = ['', 'sub_200', '', 'sub_200'];
      if (afters.join() !== again.join()) throw new Error(`It went through ${afters.join()}.`);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  /** A report of an earlier version, which finished its page of connections however long its history was. */
  'drift-report-in-one-run': reported,
  /** A report whose history grows long in the middle of a connection, and which continues in a new run. */
  'drift-report-in-runs': reported,
  /** As recorded before there were erasures. */
  'next-wake-sweep': swept,
  'erasures-swept': swept,

  /** Batch by batch, after transactions under way have ended; a signal makes it check at once. */
  'customer-erased': async (time, { subscriptionId, ...scope }) => {
    const erasure = { ...scope, erasureId: `ers_${subscriptionId}` };
    const now = await time.environment.currentTimeMs();
    const views: ErasureView[] = [
      { kind: 'more', at: now + 2_000 },
      { kind: 'more', at: now + DAY_MS },
      { kind: 'more', at: null },
    ];
    let parts = 0;
    const activities = {
      eraseNext: (): Promise<ErasureView> => {
        parts += 1;
        return Promise.resolve(views.shift() ?? { kind: 'complete' });
      },
    };
    return time.working(activities, async () => {
      const { workflowId } = await time.pokeErasure(erasure);
      await time.pass(60_000);
      await until(() => parts === 2);
      await time.pokeErasure(erasure);
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },
};

async function swept(...[time, { subscriptionId }]: Parameters<Scenario>): Promise<string> {
  const activities = {
    pokeOverdueSubscriptions: () => Promise.resolve(2),
    pokeOverdueCheckouts: () => Promise.resolve(1),
    pokeOverdueRefunds: () => Promise.resolve(0),
    pokeOverdueErasures: () => Promise.resolve(1),
  };
  return time.working(activities, async () => {
    const workflowId = `sweep/${subscriptionId}`;
    const handle = await time.start('nextWakeSweep', workflowId);
    await time.completed(workflowId);
    return historyOf(handle);
  });
}

async function refunded(...[time, input, fake]: [...Parameters<Scenario>, FakeRefund]): Promise<string> {
  const { subscriptionId, ...scope } = input;
  const refund = { ...scope, refundId: `ref_${subscriptionId}` };
  return time.working(
    fake.activities,
    async () => {
      await time.commandRefund(refund, { operationId: 'op_refund', attempt: 'attempt_of_refund' });
      await time.pass(DAY_MS);
      const workflowId = `refund/sandbox/${refund.refundId}`;
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    },
    fake.providers,
  );
}

async function reported(...[time, { subscriptionId }]: Parameters<Scenario>): ReturnType<Scenario> {
  const { billing, providers } = driftReporting({ conn_1: 2, conn_2: 20, conn_3: 23, conn_4: 3 });
  const workflowId = `drift-report-${subscriptionId}`;
  const reporting = async () => {
    const { firstExecutionRunId } = await time.start('driftReport', workflowId);
    await time.completed(workflowId);
    return historyOf(time.client.workflow.getHandle(workflowId, firstExecutionRunId));
  };
  return time.working(billing, reporting, providers);
}
