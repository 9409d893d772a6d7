import { FakeBilling, monthlyView } from './fake-billing';
import { pendingRefund } from './fake-refund';
import { DAY_MS } from '../../src/domain/instant';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { SkippedTime } from './time-skipping';

/** Inputs that an operator may send with a signal from Temporal's UI or command line. */
const PAYLOADS: Record<string, [encoding: string, data: string][]> = {
  'text that is not JSON': [['json/plain', '{poke']],
  nothing: [['json/plain', '']],
  null: [['json/plain', 'null']],
  'more than one': [
    ['json/plain', '{"at":1}'],
    ['binary/null', ''],
  ],
  'an encoding that nobody knows': [['binary/zipped', 'PK']],
  protobuf: [['json/protobuf', '{}']],
  'no encoding': [['', '1']],
};

const scope = { workspaceId: 'org_test', environment: 'sandbox' } as const;
const time = useStarted(() => SkippedTime.start());

async function sendByHand(
  workflowId: string,
  payloads: [encoding: string, data: string][],
  signalName = 'poke',
): Promise<void> {
  await time.client.workflowService.signalWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
    signalName,
    input: {
      payloads: payloads.map(([encoding, data]) => ({
        metadata: encoding === '' ? {} : { encoding: Buffer.from(encoding) },
        data: Buffer.from(data),
      })),
    },
  });
}

test.each(Object.entries(PAYLOADS))(
  'a poke with %s makes a subscription read its row like any other',
  async (name, payloads) => {
    const billing = new FakeBilling(monthlyView(Date.now(), await time.environment.currentTimeMs()));
    await time.working(billing.activities, async () => {
      const input = { ...scope, subscriptionId: `sub_${name.replaceAll(' ', '_')}` };
      const { workflowId } = await time.poke(input);
      await until(() => billing.loads === 1);
      await sendByHand(workflowId, payloads, 'unknown');
      await sendByHand(workflowId, payloads);
      await until(() => billing.loads === 2);
      billing.row = { ...billing.row, status: 'cancelled' };
      await time.poke(input);
      await time.completed(workflowId);
    });
  },
);

test('a poke that cannot be decoded wakes every other workflow, too', async () => {
  const payloads = PAYLOADS['text that is not JSON'] ?? [];
  const expiresAt = (await time.environment.currentTimeMs()) + DAY_MS;
  const refundId = 'ref_payload';
  let [checkouts, refunds, erasures, batches] = [0, 0, 0, 0];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const activities = {
    loadCheckout: () => {
      checkouts += 1;
      return Promise.resolve({ open: checkouts < 2, expiresAt, clockOffset: 0 });
    },
    loadRefund: () => {
      refunds += 1;
      return Promise.resolve(pendingRefund(refundId));
    },
    completeRefund: () =>
      Promise.resolve({ ...pendingRefund(refundId), status: refunds < 2 ? 'pending' : 'succeeded' } as const),
    eraseNext: () => {
      erasures += 1;
      return Promise.resolve(
        erasures < 2 ? ({ kind: 'more', at: expiresAt } as const) : ({ kind: 'complete' } as const),
      );
    },
    rescheduleSubscriptions: async () => {
      batches += 1;
      if (batches === 1) await released;
      return { after: null, moved: 0 };
    },
  };
  await time.working(
    activities,
    async () => {
      const checkout = await time.pokeCheckout({ ...scope, checkoutId: 'chk_payload' });
      const refund = await time.pokeRefund({ ...scope, refundId });
      const erasure = await time.pokeErasure({ ...scope, erasureId: 'era_payload' });
      const reschedule = await time.pokeReschedule(scope);
      await until(() => checkouts === 1 && refunds === 1 && erasures === 1 && batches === 1);
      for (const { workflowId } of [checkout, refund, erasure, reschedule]) {
        await sendByHand(workflowId, payloads);
      }
      release();
      for (const { workflowId } of [checkout, refund, erasure, reschedule]) await time.completed(workflowId);
    },
    { refundAtProvider: () => Promise.resolve({ kind: 'unknown' }) },
  );
  expect([checkouts, refunds, erasures, batches]).toEqual([2, 2, 2, 2]);
});
