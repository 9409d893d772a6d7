import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import type { PlanName, WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/**
 * Section 3, provider B: a change that the customer has confirmed takes effect at the renewal, unless they confirm
 * another one.
 */
const { world, row } = useProviderRow();

async function ask(sub: WorldSubscription, wanted: { plan?: PlanName; seats?: number }): Promise<string> {
  const { status, body } = await world.change(sub.id, wanted);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return String(body['approvalUrl']);
}

async function paymentsOf({ externalId }: WorldSubscription): Promise<string[]> {
  const rows = await world.service.database.query<{ amount: string }>(
    `SELECT p.amount FROM tollgate.payments p JOIN tollgate.customers c ON c.id = p.customer_id
      WHERE c.external_id = $1 ORDER BY p.received_at`,
    [externalId],
  );
  return rows.map(({ amount }) => amount);
}

test('cannot be withdrawn here: the refusal says what to do', async () => {
  const sub = await world.subscribe('provider_b');
  await world.pay('provider_b', await ask(sub, { plan: 'large' }));
  await world.settle();
  const before = await row.terms(sub);
  const { status, body } = await world.withdraw(sub.id);
  expect([status, body]).toMatchObject([
    409,
    {
      code: 'capability_unavailable',
      detail:
        'This change has been confirmed at the payment provider. Request a change back to the current plan instead.',
      capability: { name: 'planChange', available: false, reasonCode: 'confirmed_at_provider' },
    },
  ]);
  expect(await row.terms(sub)).toEqual(before);
});

test('is changed back by a request of its own, which has to be confirmed too', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  await world.pay('provider_b', await ask(sub, { plan: 'large' }));
  await world.settle();
  const back = await ask(sub, { plan: 'pro' });
  expect(await world.show(sub.id)).toMatchObject({
    scheduledChange: { plan: { slug: 'large' } },
    pendingApproval: { plan: { slug: 'pro' } },
  });
  await world.pay('provider_b', back);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ scheduledChange: null, pendingApproval: null });
  await world.advanceTo(end + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ plan: { slug: 'pro' } });
  expect(await paymentsOf(sub)).toEqual(['3000', '3000']);
  expect(await row.kinds(sub)).toEqual([
    'change_requested',
    'change_confirmed',
    'change_requested',
    'change_confirmed',
    'period_turned',
  ]);
});

test('of more seats is reported as an increase', async () => {
  const sub = await world.subscribe('provider_b');
  await world.pay('provider_b', await ask(sub, { seats: 5 }));
  await world.settle();
  expect(await row.upcoming(sub)).toContain('Increase to 5 seats');
});

test('still comes when the change back is never confirmed', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  await world.pay('provider_b', await ask(sub, { plan: 'large' }));
  await world.settle();
  await ask(sub, { plan: 'pro' });
  await world.advanceTo(end + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ plan: { slug: 'large' }, pendingApproval: null });
  expect(await row.kinds(sub)).toContain('change_request_expired');
});

test('goes when the change back is confirmed too late to be waited for', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  await world.pay('provider_b', await ask(sub, { plan: 'large' }));
  await world.settle();
  const back = await ask(sub, { plan: 'pro' });
  await world.advanceBy(4 * DAY_MS);
  expect(await world.show(sub.id)).toMatchObject({
    pendingApproval: null,
    scheduledChange: { plan: { slug: 'large' } },
  });
  await world.pay('provider_b', back);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ scheduledChange: null });
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.access(sub)).toBe(1_000);
  expect(await paymentsOf(sub)).toEqual(['3000', '3000']);
});

test('is not applied at a renewal that the provider bills on the old plan, which is reported', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  await world.pay('provider_b', await ask(sub, { plan: 'large' }));
  await world.settle();
  // The customer is asked at the provider itself to go back.
  const { adapter, access } = await world.open('provider_b');
  const page = 'https://shop.example/back';
  const outcome = await adapter.changeSubscription(access, {
    returnUrl: page,
    cancelUrl: page,
    key: 'elsewhere',
    repeated: false,
    reference: sub.reference,
    planReference: 'P-PRO',
    quantity: 1,
    proration: 'none',
  });
  if (outcome.kind !== 'customer_action') throw new Error(JSON.stringify(outcome));
  await world.pay('provider_b', String(outcome.approvalUrl));
  await world.settle();
  await world.advanceTo(end + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({
    plan: { slug: 'pro' },
    scheduledChange: { plan: { slug: 'large' } },
  });
  expect([await row.access(sub), await paymentsOf(sub)]).toEqual([1_000, ['3000', '3000']]);
  expect(await row.events(sub, 'scheduled_change_missed')).toEqual(['ERROR']);
});

test('goes when the subscription is cancelled', async () => {
  const sub = await world.subscribe('provider_b');
  await world.pay('provider_b', await ask(sub, { plan: 'large' }));
  await world.settle();
  row.lose(true);
  const cancelled = await world.command(sub.id, 'cancel');
  expect(cancelled.body).toMatchObject({
    withdrawn: { plan: { slug: 'large' }, seats: 1 },
    subscription: { status: 'cancelled', scheduledChange: null },
  });
});

describe('is not changed back while no other change could be asked for', () => {
  test('because the outcome of a cancel is unknown: that is resolved first', async () => {
    const sub = await world.subscribe('provider_b');
    await world.pay('provider_b', await ask(sub, { plan: 'large' }));
    await world.settle();
    row.break('provider_b', '/v1/billing', 'answer_500');
    const cancel = await world.command(sub.id, 'cancel');
    expect(cancel.status).toBe(202);
    row.hearAgain();
    for (const refused of [await world.change(sub.id, { plan: 'pro' }), await world.withdraw(sub.id)]) {
      expect(refused).toMatchObject({
        status: 409,
        body: { capability: { name: 'planChange', reasonCode: 'provider_unsettled' } },
      });
    }
    await row.settleLater();
    expect(await row.operation(cancel)).toMatchObject({ status: 'succeeded' });
    expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', scheduledChange: null });
  });

  test.each([
    ['plan', { plan: 'large' }, 'planChange'],
    ['seats', { seats: 4 }, 'seatChange'],
  ] as const)('because a payment is past due, as its capabilities say (%s)', async (_, wanted, name) => {
    const sub = await world.subscribe('provider_b');
    await world.pay('provider_b', await ask(sub, wanted));
    await world.settle();
    await world.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'past_due', past_due_since = now(), version = version + 1 WHERE id = $1`,
      [sub.id],
    );
    expect(await row.capabilities(sub)).toMatchObject({ [name]: 'payment_past_due' });
    expect(await world.change(sub.id, { plan: 'pro', seats: 1 })).toMatchObject({
      status: 409,
      body: { capability: { name, reasonCode: 'payment_past_due' } },
    });
  });
});
