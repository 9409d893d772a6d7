import { DAY_MS } from '../../src/domain/instant';
import { END, SteppingWorkspace } from '../subscriptions/stepping';
import { useStarted } from '../support/use-started';

/**
 * Section 3, internal renewal: at the anchored boundary, the scheduled change is applied first, then a pending
 * renewal transaction is created. Also covers the consequences of an unpaid one.
 */
const time = useStarted(() => SteppingWorkspace.start());
beforeEach(() => time.moveOn());

const utc = (text: string): number => Date.parse(`${text}T00:00:00Z`);

async function kindsOf(id: string): Promise<string[]> {
  return (await time.history(id)).map(({ kind }) => kind);
}

test('a renewal begins the next period from the anchor and makes one pending transaction for it', async () => {
  const id = await time.subscribe({ seats: 5, pricing: 'per_seat' }, { plan: { pricing: 'per_seat' } });
  const after = await time.advance(id, END + 1_000);
  expect(after).toMatchObject({
    status: 'active',
    currentPeriodStart: END,
    currentPeriodEnd: utc('2026-03-31'),
    paymentDueAt: END + 7 * DAY_MS,
    version: 2n,
  });
  expect(await time.transactions(id)).toEqual([
    expect.objectContaining({
      kind: 'renewal',
      status: 'pending',
      currency: 'USD',
      subtotal: 14_500n,
      taxAmount: 0n,
      total: 14_500n,
      amountPaid: 0n,
      lines: [expect.objectContaining({ quantity: 5, unitAmount: '2900', amount: '14500' })],
      proration: null,
      periodStart: END,
      periodEnd: utc('2026-03-31'),
      dueAt: END + 7 * DAY_MS,
      createdAt: END,
    }),
  ]);
  expect(await time.history(id)).toEqual([{ kind: 'period_turned', happenedAt: END }]);
});

test('after a long pause every period is taken in its order: none skipped, none charged twice', async () => {
  await time.settings({ past_due_after_days: 3650, expire_after_days: 3650 });
  const id = await time.subscribe();
  const after = await time.advance(id, utc('2026-07-01'));
  expect(after.currentPeriodStart).toBe(utc('2026-06-30'));
  const periods = (await time.transactions(id)).map(({ periodStart, periodEnd }) => [periodStart, periodEnd]);
  const starts = ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30', '2026-07-31'].map(
    utc,
  );
  expect(periods.reverse()).toEqual(starts.slice(0, -1).map((start, i) => [start, starts[i + 1]]));
});

test('the renewal charges what the plan costs then; the period before keeps its price', async () => {
  const id = await time.subscribe({ unit_amount: 2_900 }, { plan: { price_amount: 3_500 } });
  expect((await time.steps.read(time.scope, id))?.subscription.unitAmount).toBe(2_900n);
  expect((await time.advance(id, END)).unitAmount).toBe(3_500n);
  expect((await time.transactions(id))[0]?.total).toBe(3_500n);
});

test('a scheduled downgrade is applied first, and the renewal is charged on it', async () => {
  const id = await time.subscribe({ seats: 5, pricing: 'per_seat' }, { plan: { pricing: 'per_seat' } });
  const starter = await time.plan({ price_amount: 900, pricing: 'per_seat' });
  await time.schedule(id, { planId: starter.planId, seats: 3 });
  const after = await time.advance(id, END);
  expect(after).toMatchObject({
    planId: starter.planId,
    seats: 3,
    unitAmount: 900n,
    planUnitAmount: 900n,
    scheduled: null,
    scheduledInterval: null,
    currentPeriodEnd: utc('2026-03-31'),
  });
  expect(await time.steps.read(time.scope, id)).toMatchObject({ subscription: after });
  expect((await time.transactions(id)).map(({ total }) => total)).toEqual([2_700n]);
  expect(await time.history(id)).toEqual([
    { kind: 'scheduled_change_applied', happenedAt: END },
    { kind: 'period_turned', happenedAt: END },
  ]);
});

test('a scheduled change to a plan that was archived since still takes effect', async () => {
  const id = await time.subscribe();
  const starter = await time.plan({ price_amount: 900, archived_at: new Date(END - DAY_MS) });
  await time.schedule(id, { planId: starter.planId, seats: 1 });
  expect(await time.advance(id, END)).toMatchObject({ planId: starter.planId, unitAmount: 900n });
});

test('a scheduled change from month to year counts its years from the renewal', async () => {
  const id = await time.subscribe();
  const yearly = await time.plan({ billing_interval: 'year', price_amount: 29_000 });
  await time.schedule(id, { planId: yearly.planId, seats: 1 });
  const after = await time.advance(id, END);
  expect(after).toMatchObject({
    interval: 'year',
    billingAnchor: END,
    currentPeriodStart: END,
    currentPeriodEnd: utc('2027-02-28'),
    unitAmount: 29_000n,
  });
  expect((await time.transactions(id)).map(({ total, lines }) => [total, lines[0]?.unitAmount])).toEqual([
    [29_000n, '29000'],
  ]);
});

test('a free plan’s renewal is paid as it is made, and nothing becomes past due', async () => {
  const id = await time.subscribe({ unit_amount: 0 }, { plan: { price_amount: 0 } });
  const after = await time.advance(id, utc('2026-06-01'));
  expect(after).toMatchObject({
    status: 'active',
    paymentDueAt: null,
    currentPeriodStart: utc('2026-05-31'),
  });
  const made = await time.transactions(id);
  expect(made.map(({ status, total }) => [status, total])).toEqual(Array(4).fill(['paid', 0n]));
  for (const { paidAt, periodStart } of made) expect(paidAt).toBe(periodStart);
});

const RATES = JSON.stringify([
  { name: 'VAT', rate: '0.19', country: 'DE' },
  { name: 'Sales tax', rate: '0.08' },
]);

test.each([
  ['none', 'DE', 2_900n, 0n, []],
  ['exclusive', 'DE', 3_451n, 551n, ['VAT']],
  ['exclusive', 'FR', 3_132n, 232n, ['Sales tax']],
  ['exclusive', undefined, 3_132n, 232n, ['Sales tax']],
  ['inclusive', 'DE', 2_900n, 463n, ['VAT']],
] as const)('tax %s for a customer in %s', async (tax_behavior, country, total, taxAmount, names) => {
  // The previous period was opened without tax: the settings at the time of the renewal decide.
  const id = await time.subscribe({}, { customer: country === undefined ? {} : { country } });
  await time.settings({ tax_behavior, tax_rates: RATES });
  const { tax } = await time.advance(id, END);
  expect(tax).toMatchObject({ behavior: tax_behavior });
  expect(tax.rates.map(({ name }) => name)).toEqual(names);
  expect(await time.transactions(id)).toEqual([
    expect.objectContaining({ subtotal: 2_900n, total, taxAmount, tax }),
  ]);
});

test('the end of a trial makes the initial transaction at the price that was offered', async () => {
  const row = {
    status: 'trialing',
    trial_end: new Date(END),
    billing_anchor: new Date(END),
    unit_amount: 2_900,
  };
  const id = await time.subscribe(row, { plan: { price_amount: 9_900 } });
  const after = await time.advance(id, END + 5_000);
  expect(after).toMatchObject({
    status: 'active',
    currentPeriodStart: END,
    currentPeriodEnd: utc('2026-03-28'),
    paymentDueAt: END + 7 * DAY_MS,
  });
  expect(await time.transactions(id)).toEqual([
    expect.objectContaining({ kind: 'initial', status: 'pending', total: 2_900n, dueAt: END + 7 * DAY_MS }),
  ]);
  expect(await time.history(id)).toEqual([{ kind: 'trial_ended', happenedAt: END }]);
});

test('a short first period is followed by a whole one at the whole price', async () => {
  const anchor = utc('2026-02-10');
  const row = { billing_anchor: new Date(anchor), current_period_end: new Date(anchor) };
  const id = await time.subscribe(row);
  expect(await time.advance(id, anchor)).toMatchObject({
    currentPeriodStart: anchor,
    currentPeriodEnd: utc('2026-03-10'),
  });
  expect((await time.transactions(id)).map(({ total }) => total)).toEqual([2_900n]);
});

test('an unpaid renewal becomes past due after the settings’ days, and a payment makes it active again', async () => {
  const id = await time.subscribe();
  const due = END + 7 * DAY_MS;
  expect((await time.advance(id, due - 1)).status).toBe('active');
  expect(await time.advance(id, due + 60_000)).toMatchObject({ status: 'past_due', pastDueSince: due });
  const [unpaid] = await time.transactions(id);
  if (unpaid === undefined) throw new Error('There is no renewal to pay.');
  await time.pay(unpaid, due + DAY_MS);
  expect(await time.advance(id, due + DAY_MS)).toMatchObject({
    status: 'active',
    pastDueSince: null,
    paymentDueAt: null,
  });
  expect(await kindsOf(id)).toEqual(['period_turned', 'became_past_due']);
});

test('a past-due subscription keeps renewing, and then expires: its open transactions are void', async () => {
  const id = await time.subscribe();
  const due = END + 7 * DAY_MS;
  const expiry = due + 30 * DAY_MS;
  const renewed = await time.advance(id, expiry - 1);
  // The second renewal does not postpone what the first one started.
  expect(renewed).toMatchObject({
    status: 'past_due',
    pastDueSince: due,
    paymentDueAt: due,
    currentPeriodStart: utc('2026-03-31'),
  });
  const expired = await time.advance(id, expiry + 400 * DAY_MS);
  expect(expired).toMatchObject({ status: 'expired', paymentDueAt: null, pastDueSince: null });
  const made = await time.transactions(id);
  expect(made.map(({ kind, status, voidedAt }) => [kind, status, voidedAt])).toEqual(
    Array(2).fill(['renewal', 'void', expiry]),
  );
  expect(await time.history(id)).toEqual([
    { kind: 'period_turned', happenedAt: END },
    { kind: 'became_past_due', happenedAt: due },
    { kind: 'period_turned', happenedAt: utc('2026-03-31') },
    { kind: 'expired', happenedAt: expiry },
  ]);
});

test('an expiry ends the scheduled change, and reports it', async () => {
  await time.settings({ grace_days: 0, expire_after_days: 0 });
  const id = await time.subscribe({ payment_due_at: new Date(END - DAY_MS) });
  const { planId } = await time.plan();
  await time.schedule(id, { planId, seats: 2 });
  expect(await time.advance(id, END)).toMatchObject({ status: 'expired', scheduled: null });
  expect(await kindsOf(id)).toEqual(['became_past_due', 'scheduled_change_withdrawn', 'expired']);
});

test('days that are shortened after a renewal end it with that renewal’s period, not before it', async () => {
  await time.settings({ expire_after_days: 400 });
  const id = await time.subscribe();
  const renewedAt = utc('2026-03-31');
  expect(await time.advance(id, renewedAt)).toMatchObject({
    status: 'past_due',
    currentPeriodStart: renewedAt,
  });
  await time.settings({ grace_days: 1, expire_after_days: 1 });
  expect((await time.advance(id, renewedAt + DAY_MS)).status).toBe('expired');
  const made = await time.transactions(id);
  expect(made.map(({ status, voidedAt }) => [status, voidedAt])).toEqual(Array(2).fill(['void', renewedAt]));
  expect((await time.history(id)).at(-1)).toEqual({ kind: 'expired', happenedAt: renewedAt });
});

test('with the expiry at a renewal’s instant nothing is renewed', async () => {
  await time.settings({ grace_days: 1, expire_after_days: 1 });
  const id = await time.subscribe({ payment_due_at: new Date(END - DAY_MS) });
  expect(await time.advance(id, END + DAY_MS)).toMatchObject({ status: 'expired', currentPeriodEnd: END });
  expect(await time.transactions(id)).toEqual([]);
  const entries = await time.cluster.query(
    "SELECT message FROM tollgate.subscription_history WHERE subscription_id = $1 AND kind = 'expired'",
    [id],
  );
  expect(entries).toEqual([{ message: expect.stringContaining('expired after 1 day past due.') as string }]);
});
