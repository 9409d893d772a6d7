import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { DAY_MS } from '../../../src/domain/instant';
import { startOperations, type Operations } from './operations-world';

let world: Operations;
let access: ConnectionAccess;
beforeEach(async () => {
  world = await startOperations();
  ({ access } = world);
});
afterEach(() => world.stop());

const listed = async (from: number, to: number) => {
  const outcome = await providerA.listSettlements(access, { from, to });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.value;
};
const nextDay = () => world.core.clock.advanceTo(world.core.clock.now() + DAY_MS);

test('the payouts of a range, oldest first, each with what it brought', async () => {
  const { payment } = await world.paid();
  await providerA.refundPayment(access, world.refund(payment));
  const { latest_charge: charge } = await world.client.paymentIntents.retrieve(payment);
  const [refund] = (await world.client.refunds.list({ payment_intent: payment })).data;
  const start = world.core.clock.now();
  const [first = ''] = world.account.payOut();
  await nextDay();
  await world.paid();
  const [second = ''] = world.account.payOut();
  const all = await listed(start - 1_000, start + 2 * DAY_MS);
  expect(all.map(({ reference }) => reference)).toEqual([first, second]);
  // 2,000 less a fee of 2.9 % + 30, less a refund of 500.
  expect(all[0]).toMatchObject({
    amount: 1_412n,
    fees: 88n,
    currency: 'USD',
    status: 'paid',
    lines: [
      { kind: 'charge', reference: charge, amount: 2_000n, fee: 88n },
      { kind: 'refund', reference: refund?.id, amount: -500n, fee: 0n },
    ],
  });
  expect(await providerA.fetchSettlement?.(access, first)).toEqual({ kind: 'done', value: all[0] });
  expect(await listed(start - 1_000, start + DAY_MS / 2)).toEqual([all[0]]);
  // The start of the range is inclusive, its end exclusive.
  const arrived = (await world.client.payouts.retrieve(second)).arrival_date * 1000;
  expect((await listed(arrived, arrived + 1)).map(({ reference }) => reference)).toEqual([second]);
  expect(await listed(arrived - DAY_MS / 2, arrived)).toEqual([]);
});

test('one that the bank has returned after it was paid is reported as failed', async () => {
  const start = world.core.clock.now();
  await world.paid();
  const [payout = ''] = world.account.payOut();
  await nextDay();
  world.account.failPayout(payout);
  expect(await listed(start - 1_000, start + 2 * DAY_MS)).toMatchObject([
    { reference: payout, amount: 1_912n, status: 'failed' },
  ]);
});

test('the payout after returned ones has their payments and fees, as if they had not been paid out', async () => {
  const start = world.core.clock.now();
  const charges: unknown[] = [];
  const pay = async (): Promise<void> => {
    const { payment } = await world.paid();
    charges.push((await world.client.paymentIntents.retrieve(payment)).latest_charge);
  };
  for (let n = 0; n < 2; n += 1) {
    await pay();
    const [returned = ''] = world.account.payOut();
    await nextDay();
    world.account.failPayout(returned);
  }
  await pay();
  const [last = ''] = world.account.payOut();
  const all = await listed(start - 1_000, start + 3 * DAY_MS);
  expect(all.map(({ status }) => status)).toEqual(['failed', 'failed', 'paid']);
  const { lines, ...paid } = all[2] ?? {};
  expect(paid).toMatchObject({ reference: last, amount: 3n * 1_912n, fees: 3n * 88n });
  expect(lines).toHaveLength(3);
  expect(lines).toEqual(
    expect.arrayContaining(
      charges.map((reference) => ({ kind: 'charge', reference, amount: 2_000n, fee: 88n })),
    ),
  );
});

test('the return of a payout by hand stays one line', async () => {
  const start = world.core.clock.now();
  await world.paid();
  const [byHand = ''] = world.account.payOut({ byHand: true });
  world.account.failPayout(byHand);
  const [next = ''] = world.account.payOut();
  const all = await listed(start - 1_000, start + DAY_MS);
  expect(all.find(({ reference }) => reference === next)).toMatchObject({
    amount: 1_912n,
    fees: 0n,
    lines: [{ kind: 'other', amount: 1_912n, fee: 0n }],
  });
});

test('a manual payout has no lines, and one that is still being compiled is reported later', async () => {
  const start = world.core.clock.now();
  await world.paid();
  const [byHand = ''] = world.account.payOut({ byHand: true });
  await world.paid();
  const [reconciling = ''] = world.account.payOut({ stillReconciling: true });
  const [only, ...others] = await listed(start - 1_000, start + DAY_MS);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ reference: byHand, amount: 1_912n, fees: 0n, periodStart: null });
  expect(only).not.toHaveProperty('lines');
  expect(await providerA.fetchSettlement?.(access, reconciling)).toMatchObject({
    value: { status: 'pending' },
  });
});

test('more payouts and more lines than one page has', async () => {
  const start = world.core.clock.now();
  const { customer } = await world.paid();
  for (let n = 0; n < 130; n += 1) {
    world.account.charge(customer, 100);
    if (n < 12) world.account.payOut();
  }
  const [big = ''] = world.account.payOut();
  const all = await listed(start - 1_000, start + DAY_MS);
  expect(all).toHaveLength(13);
  expect(all.find(({ reference }) => reference === big)?.lines).toHaveLength(118);
});
