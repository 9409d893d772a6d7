import { randomUUID } from 'node:crypto';
import { useProviderARow } from '../support/use-provider-world';

/**
 * Section 3, provider A, upgrade that the customer would have to approve, or whose card is declined: nothing changes.
 */
const { world, row } = useProviderARow();

const SENTENCES = {
  requires_authentication: 'The bank asks the customer to approve this payment, so nothing was changed.',
  declines: 'The card was declined, so nothing was changed.',
  has_insufficient_funds: 'The card has insufficient funds, so nothing was changed.',
  is_removed: 'There is no card to charge, so nothing was changed.',
} as const;

test.each([
  ['requires_authentication', 'customer_action_required'],
  ['declines', 'card_declined'],
  ['has_insufficient_funds', 'card_declined'],
  ['is_removed', 'payment_method_missing'],
] as const)('a card that %s is told to the customer, and nothing is granted', async (card, code) => {
  const subscription = await row.subscribe({ seats: 2 });
  await row.setCard(subscription, card);
  const before = await row.terms(subscription);
  for (const terms of [{ plan: 'large' }, { seats: 3 }] as const) {
    const { status, body } = await world.change(subscription.id, terms);
    expect([status, body['code'], body['providerCode']]).toEqual([402, 'payment_declined', code]);
    expect(body['detail']).toMatch(new RegExp(`^${SENTENCES[card]} \\(`));
  }
  // The provider reports the failed attempt: it is not a missed renewal.
  await world.settle();
  expect(await row.terms(subscription)).toEqual(before);
  expect(await row.billed(subscription)).toBe('price_pro × 2');
  expect(row.updates(subscription)).toBe(0);
  expect(row.collected(subscription)).toHaveLength(1);
  expect(await row.kinds(subscription)).toEqual(['change_refused', 'change_refused']);
  const events = await world.service.database.query(
    `SELECT type, status, data->>'providerCode' AS code FROM tollgate.developer_events
      WHERE data->>'subscriptionId' = $1 AND data->>'change' = 'change_refused'`,
    [subscription.id],
  );
  const expected = { type: 'SUBSCRIPTION_CHANGED', status: 'ERROR', code };
  expect(events).toEqual([expected, expected]);
  expect(await row.capabilities(subscription)).toMatchObject({
    planChange: 'available',
    cancel: 'available',
  });
});

test.each([
  [
    'paid by invoices',
    { collection_method: 'send_invoice', days_until_due: '30' },
    402,
    'payment_declined',
    'customer_action_required',
  ],
  ['not collected', { 'pause_collection[behavior]': 'void' }, 409, 'provider_refused', 'collection_paused'],
] as const)(
  'what A would change unpaid, because it is %s, is refused, and nothing is granted',
  async (_, set, ...refused) => {
    const subscription = await row.subscribe({ seats: 2 });
    await row.updateAtProvider(subscription, set);
    await world.settle();
    const before = await row.terms(subscription);
    for (const terms of [{ plan: 'large' }, { seats: 3 }] as const) {
      const { status, body } = await world.change(subscription.id, terms);
      expect([status, body['code'], body['providerCode']]).toEqual(refused);
    }
    expect(await row.terms(subscription)).toEqual(before);
    expect(await row.billed(subscription)).toBe('price_pro × 2');
    expect(row.collected(subscription)).toHaveLength(1);
  },
);

test('the customer’s next attempt is a new one for the provider, under the same key or another', async () => {
  const subscription = await row.subscribe();
  await row.setCard(subscription, 'requires_authentication');
  const key = randomUUID();
  expect((await world.change(subscription.id, { plan: 'large' }, key)).status).toBe(402);
  expect((await world.change(subscription.id, { plan: 'large' }, key)).status).toBe(402);
  expect((await world.change(subscription.id, { plan: 'large' })).status).toBe(402);
  await world.settle();
  expect(row.happened(subscription, 'invoice.payment_failed')).toBe(3);
  await row.setCard(subscription, 'pays');
  const paid = await world.change(subscription.id, { plan: 'large' }, key);
  expect([paid.status, paid.body['effective']]).toEqual([200, 'immediate']);
  expect((await world.change(subscription.id, { plan: 'large' }, key)).body).toEqual(paid.body);
  await world.settle();
  expect(await row.summary(subscription)).toBe('active, large × 1');
  expect(row.collected(subscription)).toHaveLength(2);
});

test('a refusal that was lost on its way is read again, and the card is not tried a second time', async () => {
  const subscription = await row.subscribe();
  await row.setCard(subscription, 'declines');
  row.meet(subscription, 'none', 'cut_after_commit');
  const { status, body } = await world.change(subscription.id, { plan: 'large' });
  expect([status, body['code']]).toEqual([402, 'payment_declined']);
  await world.settle();
  expect(row.happened(subscription, 'invoice.payment_failed')).toBe(1);
});

test('a late refusal is stored with the operation, and nothing was granted in the meantime', async () => {
  const subscription = await row.subscribe();
  await row.setCard(subscription, 'declines');
  const before = await row.terms(subscription);
  row.meetSilence(subscription);
  const accepted = await world.change(subscription.id, { plan: 'large' });
  expect([accepted.status, accepted.body['status']]).toEqual([202, 'accepted']);
  await row.settleLater();
  expect(await row.operation(accepted)).toMatchObject({
    status: 'refused',
    problem: { code: 'payment_declined', providerCode: 'card_declined' },
    answer: null,
  });
  expect(await row.terms(subscription)).toEqual(before);
  expect(row.happened(subscription, 'invoice.payment_failed')).toBe(1);
  expect(await row.capabilities(subscription)).toMatchObject({ planChange: 'available' });
});

test.each(['before_call', 'after_call'] as const)(
  'a process that dies %s ends with the same refusal, and one attempt on the card',
  async (where) => {
    const subscription = await row.subscribe();
    await row.setCard(subscription, 'declines');
    row.dieWithNextCommand(where);
    const accepted = await world.change(subscription.id, { plan: 'large' });
    expect(accepted.status).toBe(202);
    await row.settleLater();
    expect(await row.operation(accepted)).toMatchObject({
      status: 'refused',
      problem: { code: 'payment_declined' },
    });
    expect(await row.summary(subscription)).toBe('active, pro × 1');
    expect(row.happened(subscription, 'invoice.payment_failed')).toBe(1);
  },
);

test('a scheduled change stays scheduled, and two at once are both refused', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  await world.change(subscription.id, { plan: 'starter' });
  await row.setCard(subscription, 'declines');
  const answers = await Promise.all([
    world.change(subscription.id, { plan: 'large' }),
    world.change(subscription.id, { seats: 5 }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([402, 402]);
  expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
  expect(await row.kinds(subscription)).toEqual(['downgrade_scheduled', 'change_refused', 'change_refused']);
  expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
});
