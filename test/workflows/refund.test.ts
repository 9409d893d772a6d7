import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';
import { refusalOf } from '../../src/temporal/refusal';
import type { OperationCommand, RefundInput } from '../../workflows/messages';
import { FakeRefund, pendingRefund } from './fake-refund';
import { SkippedTime } from './time-skipping';
import { useStarted } from '../support/use-started';

const time = useStarted(() => SkippedTime.start());

function input(): RefundInput {
  return { workspaceId: 'org_test', environment: 'sandbox', refundId: `ref_${randomUUID()}` };
}
function command(): OperationCommand {
  return { operationId: `op_${randomUUID()}`, attempt: randomUUID() };
}
const idOf = ({ refundId }: RefundInput): string => `refund/sandbox/${refundId}`;

test('is reserved, asked for by whoever writes the answer down, and then over', async () => {
  const [refund, sent, fake] = [input(), command(), new FakeRefund()];
  await time.working(
    fake.activities,
    async () => {
      expect(await time.commandRefund(refund, sent)).toBe('applied');
      await time.completed(idOf(refund));
    },
    fake.providers,
  );
  expect(fake.completed).toEqual([{ outcome: 'done', operationId: sent.operationId }]);
  expect(fake.requests).toEqual([refund.refundId]);
});

test.each<['unknown' | 'pending']>([['unknown'], ['pending']])(
  'an outcome that is %s is asked for again, until it is known',
  async (kind) => {
    const [refund, sent, fake] = [input(), command(), new FakeRefund()];
    fake.answers = [{ kind }, { kind }];
    await time.working(
      fake.activities,
      async () => {
        expect(await time.commandRefund(refund, sent)).toBe('pending');
        await time.pass(HOUR_MS);
        await time.completed(idOf(refund));
      },
      fake.providers,
    );
    expect(fake.completed.map(({ outcome }) => outcome)).toEqual([kind, kind, 'done']);
    expect(new Set(fake.requests)).toEqual(new Set([refund.refundId]));
    expect(fake.requests).toHaveLength(3);
  },
);

test('a worker whose clock is minutes behind does not have the provider asked every second', async () => {
  const [refund, sent, fake] = [input(), command(), new FakeRefund()];
  fake.view = { ...pendingRefund(refund.refundId), nextWakeAt: Date.now() - 300_000 };
  fake.answers = Array.from({ length: 2_000 }, () => ({ kind: 'unknown' }));
  await time.working(
    fake.activities,
    async () => {
      expect(await time.commandRefund(refund, sent)).toBe('pending');
      await time.pass(60_000);
      fake.answers = [];
      await time.pass(600_000);
      await time.completed(idOf(refund));
    },
    fake.providers,
  );
  expect(fake.requests.length).toBeLessThan(5);
});

test('a provider that fails is asked a few times, and then the outcome is unknown', async () => {
  const [refund, sent, fake] = [input(), command(), new FakeRefund()];
  fake.answers = [new Error('away'), new Error('away'), new Error('away')];
  await time.working(
    fake.activities,
    async () => {
      expect(await time.commandRefund(refund, sent)).toBe('pending');
      expect(fake.requests).toHaveLength(3);
      await time.pass(600_000);
      await time.completed(idOf(refund));
    },
    fake.providers,
  );
  expect(fake.completed).toEqual([
    { outcome: 'unknown', operationId: sent.operationId },
    { outcome: 'done', operationId: null },
  ]);
  expect(new Set(fake.requests).size).toBe(1);
});

test('a provider that declines has decided', async () => {
  const [refund, fake] = [input(), new FakeRefund()];
  fake.answers = [{ kind: 'declined' }];
  await time.working(
    fake.activities,
    async () => {
      expect(await time.commandRefund(refund, command())).toBe('applied');
      await time.completed(idOf(refund));
    },
    fake.providers,
  );
  expect(fake.view?.status).toBe('failed');
});

test('a poke goes on with what a run that is gone has left', async () => {
  const [refund, fake] = [input(), new FakeRefund()];
  fake.view = pendingRefund(refund.refundId);
  await time.working(
    fake.activities,
    async () => time.completed((await time.pokeRefund(refund)).workflowId),
    fake.providers,
  );
  expect(fake.completed).toEqual([{ outcome: 'done', operationId: null }]);
});

test('what cannot be reserved is refused, and the provider is not asked', async () => {
  const [refund, sent, fake] = [input(), command(), new FakeRefund()];
  fake.refused = true;
  await time.working(
    fake.activities,
    async () => {
      const failure: unknown = await time.commandRefund(refund, sent).catch((error: unknown) => error);
      expect(refusalOf(failure)).toMatchObject({ attempt: sent.attempt, error: { code: 'service_busy' } });
      await time.completed(idOf(refund));
    },
    fake.providers,
  );
  expect(fake.requests).toEqual([]);
});
