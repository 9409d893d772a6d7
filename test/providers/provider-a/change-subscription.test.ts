import type { ConnectionAccess } from '../../../src/providers/connection-access';
import type { SubscriptionRequest } from '../../../src/providers/provider-operations';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { DAY_MS } from '../../../src/domain/instant';
import { idOf } from '../../simulators/provider-a-world';
import { startOperations } from './operations-world';
import { useStarted } from '../../support/use-started';

const world = useStarted(startOperations);
let access: ConnectionAccess;
beforeAll(() => {
  ({ access } = world);
});
beforeEach(() => {
  world.core.faults.clear();
});

const renewalOperations = [
  (request: SubscriptionRequest) => providerA.cancelSubscription(access, request),
  (request: SubscriptionRequest) => providerA.reactivateSubscription(access, request),
];
const latestInvoice = async (id: string) =>
  world.client.invoices.retrieve(idOf((await world.client.subscriptions.retrieve(id)).latest_invoice));

test('an upgrade changes the one item, and its difference is paid at once', async () => {
  const { id } = await world.paid();
  const outcome = await providerA.changeSubscription(access, world.change(id, { quantity: 3 }));
  expect(outcome).toEqual(await providerA.fetchSubscription(access, id));
  expect(outcome).toMatchObject({
    kind: 'done',
    value: { reference: id, planReference: world.pro, quantity: 3, status: 'active' },
  });
  expect(await world.items(id)).toEqual([[world.pro, 3]]);
  expect(await latestInvoice(id)).toMatchObject({ billing_reason: 'subscription_update', status: 'paid' });
});

test('a key that came with another item before, since replaced at the provider, is refused and not left in doubt', async () => {
  const { id, customer } = await world.paid();
  world.account.setCard(customer, 'declines');
  const request = world.change(id);
  // As if the answer had been lost: the provider stores it under the key.
  expect((await providerA.changeSubscription(access, request)).kind).toBe('declined');
  const [old] = (await world.client.subscriptions.retrieve(id)).items.data;
  const replace = (item: object) =>
    world.client.subscriptions.update(id, { items: [item], proration_behavior: 'none' });
  await replace({ price: world.price(2_100), quantity: 1 });
  await replace({ id: old?.id ?? '', deleted: true });
  const again = await providerA.changeSubscription(access, { ...request, repeated: true });
  expect(again).toMatchObject({ kind: 'declined', code: 'changed_since' });
});

/** Has the next attempt at a change fail at the provider, after a read and the failures it already has for its keys. */
function failChange(id: string, earlier: number): void {
  // Each repeated failure is followed by a read.
  const before = Array.from({ length: 1 + earlier * 2 }, () => 'none' as const);
  for (const fault of [...before, 'answer_500' as const])
    world.core.faults.set({ provider: 'a', path: `/v1/subscriptions/${id}`, fault, times: 1 });
}

test('a change that charges nothing is sent again after failures that the provider repeats, with one effect', async () => {
  const { id } = await world.paid();
  const request = world.change(id, { proration: 'none' });
  for (const earlier of [0, 1]) {
    failChange(id, earlier);
    expect((await providerA.changeSubscription(access, request)).kind).toBe('unknown');
  }
  expect((await providerA.changeSubscription(access, request)).kind).toBe('done');
  expect(await world.items(id)).toEqual([[world.pro, 1]]);
  const [item] = (await world.client.subscriptions.retrieve(id)).items.data;
  await world.client.subscriptions.update(id, {
    items: [{ id: item?.id ?? '', price: world.basic }],
    proration_behavior: 'none',
  });
  // An attempt that continues late does not undo what has come since.
  expect(await providerA.changeSubscription(access, request)).toMatchObject({ code: 'changed_since' });
  expect(await world.items(id)).toEqual([[world.basic, 1]]);
});

test('a change that charges nothing is given up when the provider has failed for each of its keys', async () => {
  const { id } = await world.paid();
  const request = world.change(id, { proration: 'none' });
  for (const earlier of [0, 1, 2]) {
    failChange(id, earlier);
    expect((await providerA.changeSubscription(access, request)).kind).toBe('unknown');
  }
  expect(await providerA.changeSubscription(access, request)).toMatchObject({ code: 'provider_failed' });
  expect(await world.items(id)).toEqual([[world.basic, 1]]);
});

test.each([0, 1])(
  'a change that has failed at the provider %i times changes nothing once a later one has superseded it',
  async (failures) => {
    const { id } = await world.paid();
    const request = world.change(id, { proration: 'none' });
    for (let earlier = 0; earlier < failures; earlier += 1) {
      failChange(id, earlier);
      expect((await providerA.changeSubscription(access, request)).kind).toBe('unknown');
    }
    const back = { ...request, planReference: world.basic, key: 'back', supersedes: [request.key] };
    for (const attempt of [1, 2])
      expect([attempt, (await providerA.changeSubscription(access, back)).kind]).toEqual([attempt, 'done']);
    expect(await providerA.changeSubscription(access, request)).toMatchObject({ code: 'changed_since' });
    expect(await world.items(id)).toEqual([[world.basic, 1]]);
  },
);

test('a preparation that supersedes another, and continues after both were superseded, changes nothing', async () => {
  const { id } = await world.paid();
  const first = world.change(id, { proration: 'none', key: 'first' });
  const second = { ...first, quantity: 3, key: 'second', supersedes: ['first'], yields: true };
  const back = { ...first, planReference: world.basic, key: 'back', supersedes: ['first', 'second'] };
  expect((await providerA.changeSubscription(access, back)).kind).toBe('done');
  for (const late of [second, first])
    expect(await providerA.changeSubscription(access, late)).toMatchObject({ code: 'changed_since' });
  expect(await world.items(id)).toEqual([[world.basic, 1]]);
});

test('without proration nothing is charged until the next period', async () => {
  const { id, invoice } = await world.paid();
  const none = { proration: 'none', planReference: world.basic, quantity: 5 } as const;
  expect((await providerA.changeSubscription(access, world.change(id, none))).kind).toBe('done');
  expect(await world.items(id)).toEqual([[world.basic, 5]]);
  expect((await latestInvoice(id)).id).toBe(invoice);
  const cheaper = { proration: 'none', planReference: world.price(500), quantity: 5 } as const;
  expect((await providerA.changeSubscription(access, world.change(id, cheaper))).kind).toBe('done');
  expect((await latestInvoice(id)).id).toBe(invoice);
});

test('a paid plan after a free one costs the rest of the period, and without proration nothing before the next', async () => {
  for (const [proration, charged] of [
    ['invoice_now', 3_000],
    ['none', 0],
  ] as const) {
    const { subscription } = await world.subscribe(world.price(0));
    const { items } = await world.client.subscriptions.retrieve(subscription.id);
    const [start, end] = [items.data[0]?.current_period_start ?? 0, items.data[0]?.current_period_end ?? 0];
    await world.core.clock.advanceTo((start + (end - start) / 2) * 1000);
    const request = world.change(subscription.id, { proration });
    expect(await providerA.changeSubscription(access, request)).toMatchObject({
      kind: 'done',
      value: { currentPeriodEnd: end * 1000, planReference: world.pro },
    });
    expect(Math.abs((await latestInvoice(subscription.id)).total - charged)).toBeLessThanOrEqual(1);
  }
});

test('more of the plan of now cost the price that it has there, also when the plan was given another one', async () => {
  const renamed = { ...access, settings: { planReferences: { basic: world.price(9_000), pro: world.pro } } };
  const seats = { planReference: world.price(9_500), quantity: 3, keepsPrice: true } as const;
  const { id } = await world.paid();
  const request = world.change(id, seats);
  expect((await providerA.changeSubscription(renamed, request)).kind).toBe('done');
  expect(await world.items(id)).toEqual([[world.basic, 3]]);
  const charged = (await latestInvoice(id)).id;
  const again = { ...request, repeated: true };
  expect((await providerA.changeSubscription(renamed, again)).kind).toBe('done');
  expect((await latestInvoice(id)).id).toBe(charged);
  // An older price may still be listed, under a slug whose plan is also listed by its id, for example.
  const listed = { ...renamed, settings: { planReferences: { basic: world.basic } } };
  const more = world.change(id, { ...seats, quantity: 4, unitAmount: '2000' });
  expect((await providerA.changeSubscription(listed, more)).kind).toBe('done');
  expect(await world.items(id)).toEqual([[world.basic, 4]]);
  // The price of a different plan is not this change's: it was changed at the provider.
  expect((await providerA.changeSubscription(access, world.change(id, seats))).kind).toBe('done');
  expect(await world.items(id)).toEqual([[seats.planReference, 3]]);
});

test.each([
  [
    'declines',
    'card_declined',
    /^The card was declined, so nothing was changed\. \(card_declined, request req_/,
  ],
  ['has_insufficient_funds', 'card_declined', /insufficient funds/],
  ['requires_authentication', 'customer_action_required', /bank asks the customer to approve/],
] as const)(
  'a card that %s is %s, and nothing changes, also when the key is sent again',
  async (card, code, reason) => {
    const { id, customer, invoice } = await world.paid();
    world.account.setCard(customer, card);
    const request = world.change(id);
    const declined = { kind: 'declined', code, reason: expect.stringMatching(reason) as string };
    expect(await providerA.changeSubscription(access, request)).toMatchObject(declined);
    expect(await world.items(id)).toEqual([[world.basic, 1]]);
    // The provider reuses its answer for a key: with a card that pays, only another operation is another attempt.
    world.account.setCard(customer, 'pays');
    expect(await providerA.changeSubscription(access, { ...request, repeated: true })).toMatchObject(
      declined,
    );
    expect((await latestInvoice(id)).id).toBe(invoice);
    expect((await providerA.changeSubscription(access, world.change(id))).kind).toBe('done');
  },
);

test('a change of a subscription that is paid by invoices is refused: nobody could require its payment', async () => {
  const { id, invoice } = await world.paid();
  const byInvoice = { collection_method: 'send_invoice', days_until_due: 30 } as const;
  await world.client.subscriptions.update(id, byInvoice);
  const request = world.change(id);
  expect(await providerA.changeSubscription(access, request)).toMatchObject({
    kind: 'declined',
    code: 'customer_action_required',
    reason: expect.stringContaining('paid by invoices') as string,
  });
  expect(await world.items(id)).toEqual([[world.basic, 1]]);
  expect((await latestInvoice(id)).id).toBe(invoice);
  // Nothing is charged for a change at the renewal.
  expect((await providerA.changeSubscription(access, { ...request, proration: 'none' })).kind).toBe('done');
  // Nor in a trial.
  const trial = await world.paid();
  await world.client.subscriptions.update(trial.id, {
    ...byInvoice,
    trial_end: Math.floor(world.core.clock.now() / 1000) + 86_400,
  });
  expect((await providerA.changeSubscription(access, world.change(trial.id))).kind).toBe('done');
});

test.each(['void', 'mark_uncollectible', 'keep_as_draft'] as const)(
  'a change of a subscription whose collection is paused (%s) is refused: the provider would not charge it',
  async (behavior) => {
    const { id, invoice } = await world.paid();
    await world.client.subscriptions.update(id, { pause_collection: { behavior } });
    const request = world.change(id);
    expect(await providerA.changeSubscription(access, request)).toMatchObject({
      kind: 'declined',
      code: 'collection_paused',
    });
    expect(await world.items(id)).toEqual([[world.basic, 1]]);
    expect((await latestInvoice(id)).id).toBe(invoice);
    // Nothing is charged for a change at the renewal.
    expect((await providerA.changeSubscription(access, { ...request, proration: 'none' })).kind).toBe('done');
    await world.client.subscriptions.update(id, { pause_collection: '' });
    const { basic } = world;
    const back = { ...world.change(id), planReference: basic, quantity: 2 };
    expect((await providerA.changeSubscription(access, back)).kind).toBe('done');
    expect((await latestInvoice(id)).status).toBe('paid');
  },
);

test('an answer that did not come is read from the subscription: the difference is paid once', async () => {
  const { id } = await world.paid();
  const request = world.change(id);
  const before = await world.times('invoice.paid');
  world.core.faults.set({
    provider: 'a',
    path: `/v1/subscriptions/${id}`,
    fault: 'slow',
    times: 1,
    delayMs: 0,
  });
  world.cut(`/v1/subscriptions/${id}`);
  expect((await providerA.changeSubscription(access, request)).kind).toBe('unknown');
  expect(await world.items(id)).toEqual([[world.pro, 1]]);
  expect(await providerA.changeSubscription(access, { ...request, repeated: true })).toMatchObject({
    kind: 'done',
    value: { planReference: world.pro },
  });
  expect(await world.times('invoice.paid')).toBe(before + 1);
});

test('a change that is already in effect costs nothing, even after a day, when the provider has forgotten the key', async () => {
  const { id } = await world.paid();
  const request = world.change(id);
  await providerA.changeSubscription(access, request);
  const before = await world.times('invoice.created');
  world.account.forgetKeys();
  expect((await providerA.changeSubscription(access, { ...request, repeated: true })).kind).toBe('done');
  expect((await providerA.changeSubscription(access, world.change(id))).kind).toBe('done');
  expect(await world.times('invoice.created')).toBe(before);
});

test('a change that was made and then changed at the provider is not made again', async () => {
  const { id } = await world.paid();
  const request = world.change(id);
  await providerA.changeSubscription(access, request);
  const { items } = await world.client.subscriptions.retrieve(id);
  await world.client.subscriptions.update(id, {
    items: [{ id: String(items.data[0]?.id), price: world.basic }],
    proration_behavior: 'none',
  });
  expect(await providerA.changeSubscription(access, { ...request, repeated: true })).toMatchObject({
    kind: 'declined',
    code: 'changed_since',
  });
  expect(await world.items(id)).toEqual([[world.basic, 1]]);
});

test('a failure that the provider keeps under the key is settled by reading', async () => {
  const { id } = await world.paid();
  const request = world.change(id);
  world.core.faults.set({
    provider: 'a',
    path: `/v1/subscriptions/${id}`,
    fault: 'slow',
    times: 1,
    delayMs: 0,
  });
  world.core.faults.set({ provider: 'a', path: `/v1/subscriptions/${id}`, fault: 'answer_500', times: 1 });
  expect((await providerA.changeSubscription(access, request)).kind).toBe('unknown');
  expect(await providerA.changeSubscription(access, { ...request, repeated: true })).toMatchObject({
    kind: 'declined',
    code: 'provider_failed',
  });
  expect(await world.items(id)).toEqual([[world.basic, 1]]);
});

test('of several items the one of a plan of ours is changed, and without one nothing is guessed', async () => {
  const { id } = await world.paid();
  const addOn = world.price(100);
  await world.client.subscriptions.update(id, {
    items: [{ price: addOn, quantity: 7 }],
    proration_behavior: 'none',
  });
  expect((await providerA.changeSubscription(access, world.change(id))).kind).toBe('done');
  expect(await world.items(id)).toEqual([
    [world.pro, 1],
    [addOn, 7],
  ]);
  const untracked = { ...access, settings: {} };
  const request = world.change(id, { planReference: world.basic });
  expect(await providerA.changeSubscription(untracked, request)).toMatchObject({
    kind: 'declined',
    code: 'ambiguous_item',
  });
});

test('an item of a plan of ours is found among more items than the provider sends with a subscription', async () => {
  const { id } = await world.paid();
  const add = async (prices: readonly string[]) =>
    world.client.subscriptions.update(id, {
      items: prices.map((price) => ({ price })),
      proration_behavior: 'none',
    });
  const { items: first } = await add(Array.from({ length: 10 }, () => world.price(100)));
  // The plan's item is replaced by a later one, which is beyond the first ten.
  const replaced = { id: first.data[0]?.id ?? '', deleted: true };
  const { items } = await world.client.subscriptions.update(id, {
    items: [replaced, { price: world.basic, quantity: 4 }],
    proration_behavior: 'none',
  });
  expect([items.data.length, items.has_more]).toEqual([10, true]);
  const own = { planReference: world.basic, quantity: 4 };
  expect(await providerA.fetchSubscription(access, id)).toMatchObject({ kind: 'done', value: own });
  const billed = await providerA.fetchBilledSubscription(access, id);
  expect(billed).toMatchObject({
    kind: 'done',
    value: { facts: own, billing: { price: { amount: '2000' } } },
  });
  expect(billed.kind === 'done' && billed.value.billing.otherItems).toHaveLength(10);
  const changed = await providerA.changeSubscription(access, world.change(id));
  expect(changed).toMatchObject({ kind: 'done', value: { planReference: world.pro, quantity: 1 } });

  // Another plan's item, which the provider does not send either, leaves it open which of the two is meant.
  await add([world.basic]);
  expect(await providerA.changeSubscription(access, world.change(id, { quantity: 2 }))).toMatchObject({
    kind: 'declined',
    code: 'ambiguous_item',
  });
});

test('another interval would be charged at once, so it is not for the next renewal', async () => {
  const { id, invoice } = await world.paid();
  const yearly = { planReference: world.price(20_000, 'year'), proration: 'none' } as const;
  expect(await providerA.changeSubscription(access, world.change(id, yearly))).toMatchObject({
    kind: 'declined',
    code: 'other_interval',
  });
  expect((await latestInvoice(id)).id).toBe(invoice);
});

test('a subscription that does not exist, or has ended, cannot be changed', async () => {
  const refused = async (id: string, planReference = world.pro) =>
    providerA.changeSubscription(access, world.change(id, { planReference }));
  const { id } = await world.paid();
  expect(await refused('sub_none')).toMatchObject({ kind: 'declined', code: 'not_found' });
  expect(await refused(id, 'price_none')).toMatchObject({
    code: 'not_found',
    reason: expect.stringContaining('plan') as string,
  });
  const archived = world.price(7_000);
  await world.client.prices.update(archived, { active: false });
  expect(await refused(id, archived)).toMatchObject({
    code: 'price_inactive',
    reason: expect.stringContaining('The plan’s price is inactive at the payment provider. (') as string,
  });
  await world.client.subscriptions.cancel(id);
  expect(await refused(id)).toMatchObject({ code: 'subscription_ended' });
  // Refused even if the plan and the quantity are those it ended with.
  expect(await refused(id, world.basic)).toMatchObject({ code: 'subscription_ended' });
});

test.each([
  ['changed', 'declined', (id: string) => providerA.changeSubscription(access, world.change(id))],
  ['taken back', 'declined', (id: string) => providerA.reactivateSubscription(access, world.renewal(id))],
  ['cancelled', 'done', (id: string) => providerA.cancelSubscription(access, world.renewal(id))],
] as const)('a subscription that ends while it is being %s has ended', async (_, kind, operation) => {
  const { id } = await world.paid();
  await world.client.subscriptions.update(id, {
    cancel_at: Math.floor((world.core.clock.now() + 90 * DAY_MS) / 1000),
  });
  await world.client.subscriptions.retrieve(id);
  await world.client.subscriptions.cancel(id);
  // The read before the change is from before the end.
  world.core.faults.set({ provider: 'a', path: `/v1/subscriptions/${id}`, fault: 'answer_stale', times: 1 });
  const ended = kind === 'done' ? { value: { status: 'cancelled' } } : { code: 'subscription_ended' };
  expect(await operation(id)).toMatchObject({ kind, ...ended });
});

test('a subscription that ends with its period is not charged for a change, and is changed without a charge', async () => {
  const { id } = await world.paid();
  await world.client.subscriptions.update(id, { cancel_at_period_end: true });
  const change = (proration: 'invoice_now' | 'none') =>
    providerA.changeSubscription(access, world.change(id, { proration }));
  expect(await change('invoice_now')).toMatchObject({ kind: 'declined', code: 'cancellation_pending' });
  expect(await change('none')).toMatchObject({ kind: 'done', value: { planReference: world.pro } });
});

describe('the renewal', () => {
  test('is cancelled for the end of the period, with the reason, and taken back', async () => {
    const { id } = await world.paid();
    const cancelled = await providerA.cancelSubscription(access, world.renewal(id));
    expect(cancelled).toMatchObject({ kind: 'done', value: { status: 'active', cancelAtPeriodEnd: true } });
    expect(await world.client.subscriptions.retrieve(id)).toMatchObject({
      cancel_at_period_end: true,
      cancellation_details: { comment: 'The customer cancelled.' },
    });
    const back = await providerA.reactivateSubscription(access, world.renewal(id));
    expect(back).toMatchObject({ kind: 'done', value: { cancelAtPeriodEnd: false } });
    expect(back).toEqual(await providerA.fetchSubscription(access, id));
  });

  test('an answer that did not come is read from the subscription', async () => {
    const { id } = await world.paid();
    for (const operation of renewalOperations) {
      const request = world.renewal(id);
      const before = await world.times('customer.subscription.updated');
      world.core.faults.set({
        provider: 'a',
        path: `/v1/subscriptions/${id}`,
        fault: 'slow',
        times: 1,
        delayMs: 0,
      });
      world.cut(`/v1/subscriptions/${id}`);
      expect((await operation(request)).kind).toBe('unknown');
      expect((await operation({ ...request, repeated: true })).kind).toBe('done');
      expect(await world.times('customer.subscription.updated')).toBe(before + 1);
    }
  });

  test('an end at an instant within the period is the same, and a later one is not', async () => {
    const { id } = await world.paid();
    const { items } = await world.client.subscriptions.retrieve(id);
    const end = items.data[0]?.current_period_end ?? 0;
    const before = async () => world.times('customer.subscription.updated');
    await world.client.subscriptions.update(id, { cancel_at: end - 3_600 });
    const count = await before();
    expect((await providerA.cancelSubscription(access, world.renewal(id))).kind).toBe('done');
    expect(await before()).toBe(count);
    await world.client.subscriptions.update(id, { cancel_at: end + 3_600 });
    expect((await providerA.cancelSubscription(access, world.renewal(id))).kind).toBe('done');
    expect(await world.client.subscriptions.retrieve(id)).toMatchObject({
      cancel_at_period_end: true,
      cancel_at: end,
    });
    await world.client.subscriptions.update(id, { cancel_at: end + 3_600 });
    expect(await providerA.reactivateSubscription(access, world.renewal(id))).toMatchObject({
      kind: 'done',
      value: { cancelAtPeriodEnd: false },
    });
  });

  test.each(['month', 'week'] as const)(
    'by the %s is cancelled for the end of its period, also if another item has another interval',
    async (interval) => {
      const weekly = world.account.price({ unitAmount: 500, currency: 'usd', interval: 'week' });
      const [plan, other] = interval === 'week' ? [weekly, world.basic] : [world.basic, weekly];
      const { subscription } = await world.subscribe(plan);
      const [item] = subscription.items.data;
      const { id } = subscription;
      const ours = { ...access, settings: { planReferences: { plan } } };
      await world.client.subscriptions.update(id, { items: [{ price: other }], proration_behavior: 'none' });
      const end = (item?.current_period_end ?? 0) * 1000;
      const request = world.renewal(id);
      for (const sending of [request, { ...request, repeated: true }]) {
        expect(await providerA.cancelSubscription(ours, sending)).toMatchObject({
          kind: 'done',
          value: { cancelAtPeriodEnd: true, cancelAt: end, currentPeriodEnd: end },
        });
      }
      await world.core.clock.advanceTo(end - DAY_MS);
      expect((await world.client.subscriptions.retrieve(id)).status).toBe('active');
      await world.core.clock.advanceTo(end);
      expect((await world.client.subscriptions.retrieve(id)).status).toBe('canceled');
    },
  );

  test('is cancelled as the provider does it if no item is known to be the plan’s', async () => {
    const yearly = world.price(9_000, 'year');
    const weekly = world.account.price({ unitAmount: 500, currency: 'usd', interval: 'week' });
    const { subscription } = await world.subscribe(yearly);
    const { id } = subscription;
    await world.client.subscriptions.update(id, { items: [{ price: weekly }], proration_behavior: 'none' });
    const { items } = await world.client.subscriptions.retrieve(id);
    const first = Math.min(...items.data.map((item) => item.current_period_end)) * 1000;
    expect(await providerA.cancelSubscription(access, world.renewal(id))).toMatchObject({
      kind: 'done',
      value: { cancelAtPeriodEnd: true, cancelAt: first },
    });
  });

  test('is over when the subscription is over: cancelling has nothing to do, taking back is refused', async () => {
    const { id } = await world.paid();
    await providerA.cancelSubscription(access, world.renewal(id));
    await world.core.clock.advanceTo(world.core.clock.now() + 40 * DAY_MS);
    expect(await providerA.cancelSubscription(access, world.renewal(id))).toMatchObject({
      kind: 'done',
      value: { status: 'cancelled' },
    });
    expect(await providerA.reactivateSubscription(access, world.renewal(id))).toMatchObject({
      kind: 'declined',
      code: 'subscription_ended',
    });
    for (const operation of renewalOperations) {
      expect(await operation(world.renewal('sub_none'))).toMatchObject({ code: 'not_found' });
    }
  });
});
