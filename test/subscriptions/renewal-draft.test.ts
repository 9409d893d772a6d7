import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';

/** Time after a boundary by which the draft has been charged and read. */
const CHARGED_MS = HOUR_MS + 15 * MINUTE_MS;

const world = useProviderWorld();
const row = new ProviderARow(world);
beforeAll(() => {
  row.account.setDraftHours(1);
});
afterEach(() => row.endAll());

interface Paid {
  amount: string;
  status: string;
}

/** Returns its payments, oldest first: minor units and status. */
async function payments({ id }: Pick<WorldSubscription, 'id'>): Promise<string[]> {
  const rows = await world.service.database.query<Paid>(
    'SELECT amount, status FROM tollgate.payments WHERE subscription_id = $1 ORDER BY received_at, id',
    [id],
  );
  return rows.map(({ amount, status }) => `${amount} ${status}`);
}

async function waitingFor({ id }: Pick<WorldSubscription, 'id'>): Promise<unknown> {
  return (await world.show(id))['waitingFor'];
}

/** Subscribes a customer, and returns the time of the first renewal. */
async function subscribed(terms = {}): Promise<{ subscription: WorldSubscription; end: number }> {
  const subscription = await row.subscribe(terms);
  return { subscription, end: periodEnd(await world.show(subscription.id)) };
}

const time = (instant: number): string => new Date(instant).toISOString();

test.each([false, true])(
  'a renewal that A charges an hour after the boundary is recorded once (webhooks lost: %s)',
  async (lost) => {
    const { subscription, end } = await subscribed();
    const [first] = await payments(subscription);
    row.lose(lost);
    await world.advanceTo(end + MINUTE_MS);
    expect(await payments(subscription)).toEqual([first]);
    expect(await waitingFor(subscription)).toBe(
      `The subscription is checked at the payment provider at ${time(end + HOUR_MS + 10 * MINUTE_MS)}.`,
    );
    expect((await row.upcoming(subscription)).slice(0, 2)).toEqual([
      'The subscription is checked at the payment provider',
      expect.stringMatching(/^The payment provider renews pro/),
    ]);
    // Its webhook makes the read superfluous.
    await world.advanceTo(end + (lost ? CHARGED_MS : HOUR_MS + MINUTE_MS));
    expect(await payments(subscription)).toEqual([first, first]);
    expect(row.happened(subscription, 'invoice.paid')).toBe(2);
    const { status, currentPeriodEnd } = await world.show(subscription.id);
    expect(status).toBe('active');
    expect(await waitingFor(subscription)).toBe(
      `The billing period ends at ${currentPeriodEnd}, when the subscription is checked at the payment provider.`,
    );
    expect(await row.kinds(subscription)).toEqual(['period_turned']);
  },
);

test.each([false, true])(
  'a renewal whose draft is charged in vain becomes past due, and is read until it is paid (webhooks lost: %s)',
  async (lost) => {
    const { subscription, end } = await subscribed();
    await row.setCard(subscription, 'declines');
    row.lose(lost);
    await world.advanceTo(end + MINUTE_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    await world.advanceTo(end + CHARGED_MS);
    expect((await world.show(subscription.id)).status).toBe('past_due');
    expect([...(await row.kinds(subscription))].sort()).toEqual([
      'became_past_due',
      'payment_failed',
      'period_turned',
    ]);
    await row.setCard(subscription, 'pays');
    await world.advanceTo(end + 3 * DAY_MS + HOUR_MS + 2 * MINUTE_MS);
    await world.advanceBy(HOUR_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    expect((await payments(subscription)).filter((paid) => paid.endsWith('succeeded'))).toHaveLength(2);
  },
);

/** A states its times in whole seconds. */
const wholeSecond = (instant: number): number => Math.floor(instant / 1000) * 1000;

const PAID_BY = ['invoice.paid', 'payment_intent.succeeded'];

test.each([
  ['the invoice', PAID_BY],
  ['the payment', PAID_BY.toReversed()],
  ['a reading', []],
])(
  'a renewal that is paid days after its first attempt is dated when it was paid, if %s reports it first',
  async (_what, order) => {
    const { outbox, clock } = world.simulators.core;
    const { subscription, end } = await subscribed();
    await row.setCard(subscription, 'declines');
    row.lose(true);
    await world.moveClocks(end + 2 * DAY_MS);
    const before = wholeSecond(clock.now());
    row.payOpenInvoices(subscription);
    const after = wholeSecond(clock.now());
    await deliverWebhooks(outbox);
    row.lose(false);
    for (const event of order) {
      outbox.resend(outbox.deliveries.findLast((sent) => sent.event === event)?.id ?? '');
      await deliverWebhooks(outbox);
    }
    // Reads the provider.
    await world.settle();
    const [first, ...later] = await world.service.database.query<{ received_at: number }>(
      `SELECT received_at FROM tollgate.payments WHERE subscription_id = $1 AND status = 'succeeded' ORDER BY 1 DESC`,
      [subscription.id],
    );
    expect(later).toHaveLength(1);
    expect(first?.received_at).toBeGreaterThanOrEqual(before);
    expect(first?.received_at).toBeLessThanOrEqual(after);
  },
);

test.each([false, true])(
  'a scheduled downgrade takes effect at the boundary, and its charge follows (webhooks lost: %s)',
  async (lost) => {
    const { subscription, end } = await subscribed({ seats: 2 });
    await world.change(subscription.id, { plan: 'starter' });
    row.lose(lost);
    await world.advanceTo(end - HOUR_MS);
    await world.advanceTo(end + MINUTE_MS);
    expect((await world.show(subscription.id)).plan.slug).toBe('starter');
    const before = await payments(subscription);
    await world.advanceTo(end + CHARGED_MS);
    const after = await payments(subscription);
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).not.toBe(before.at(-1));
    expect(await row.kinds(subscription)).toContain('scheduled_change_applied');
  },
);

test('a subscription that is cancelled during the hour of the draft keeps its read, and ends at its end', async () => {
  const { subscription, end } = await subscribed();
  row.lose(true);
  await world.advanceTo(end + MINUTE_MS);
  expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
  await world.advanceTo(end + CHARGED_MS);
  expect(await payments(subscription)).toHaveLength(2);
  const next = periodEnd(await world.show(subscription.id));
  await world.advanceTo(next + MINUTE_MS);
  expect((await world.show(subscription.id)).status).toBe('cancelled');
});

test('an upgrade that is invoiced during the hour of the draft leaves the read of the draft as it is', async () => {
  const { subscription, end } = await subscribed();
  row.lose(true);
  await world.advanceTo(end + MINUTE_MS);
  expect((await world.change(subscription.id, { plan: 'large' })).status).toBe(200);
  await world.advanceTo(end + CHARGED_MS);
  expect(row.happened(subscription, 'invoice.paid')).toBe(3);
  expect(await payments(subscription)).toHaveLength(3);
});

test('a subscription that A ends during the hour of the draft is charged nothing', async () => {
  const { subscription, end } = await subscribed();
  row.lose(true);
  await world.advanceTo(end + MINUTE_MS);
  await row.endAtProvider(subscription);
  await world.advanceTo(end + CHARGED_MS);
  expect((await world.show(subscription.id)).status).toBe('cancelled');
  expect(await payments(subscription)).toHaveLength(1);
});

test.each(['pays', 'declines'] as const)(
  'a worker that dies before it applies what it has read of the charge leaves it to be read (the card %s)',
  async (card) => {
    const { subscription, end } = await subscribed();
    await row.setCard(subscription, card);
    row.lose(true);
    await world.advanceTo(end + MINUTE_MS);
    await world.moveClocks(end + CHARGED_MS);
    await row.dieInStep(subscription, 'before_apply');
    await world.settle();
    const isPaid = card === 'pays';
    expect((await world.show(subscription.id)).status).toBe(isPaid ? 'active' : 'past_due');
    expect((await payments(subscription)).map((paid) => paid.split(' ')[1])).toEqual([
      'succeeded',
      isPaid ? 'succeeded' : 'failed',
    ]);
    expect([...(await row.kinds(subscription))].sort()).toEqual(
      isPaid ? ['period_turned'] : ['became_past_due', 'payment_failed', 'period_turned'],
    );
  },
);

test('if A cannot be read after the charge, it is read again', async () => {
  const { subscription, end } = await subscribed();
  row.lose(true);
  await world.advanceTo(end + MINUTE_MS);
  await world.moveClocks(end + CHARGED_MS);
  row.break('provider_a', '/v1/subscriptions', 'answer_500');
  await world.settle();
  expect(await payments(subscription)).toHaveLength(1);
  row.hearAgain();
  row.lose(true);
  await world.advanceBy(6 * MINUTE_MS);
  expect(await payments(subscription)).toHaveLength(2);
});

test('a draft that is charged later is read until it is charged', async () => {
  const { subscription, end } = await subscribed();
  row.lose(true);
  // A webhook endpoint that does not answer delays the finalization for up to three days.
  row.account.setDraftHours(50);
  await world.advanceTo(end + MINUTE_MS);
  row.account.setDraftHours(1);
  await world.advanceTo(end + 49 * HOUR_MS);
  expect(await payments(subscription)).toHaveLength(1);
  await world.advanceTo(end + 50 * HOUR_MS + 15 * MINUTE_MS);
  expect(await payments(subscription)).toHaveLength(2);
});

test.each([false, true])(
  'a subscription whose sent invoice is not paid is past due from the due date on (webhooks lost: %s)',
  async (lost) => {
    const { subscription, end } = await subscribed();
    await row.updateAtProvider(subscription, { collection_method: 'send_invoice', days_until_due: '10' });
    row.lose(lost);
    await world.advanceTo(end + CHARGED_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    await world.advanceTo(end + 10 * DAY_MS - HOUR_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    await world.advanceTo(end + 10 * DAY_MS + 2 * HOUR_MS);
    expect((await world.show(subscription.id)).status).toBe('past_due');
  },
);
