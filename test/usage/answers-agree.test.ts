import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { KEY_SCOPES } from '../../src/domain/key-scopes';
import { HOUR_MS } from '../../src/domain/instant';
import type { EntitlementSeed } from '../support/catalogue';
import { cases } from '../domain/property';
import { Integrator } from '../support/integrator';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';
import { createKey } from '../support/workspace';

/** The decision, the list and the customer's page agree for one customer, whatever state its subscriptions are in. */
const usage = useStarted(
  () => UsageWorkspace.start(),
  async (started) => {
    // No transaction backs the payments that these lives owe, and the verifier would report it.
    await started.service.database.query('UPDATE tollgate.subscriptions SET payment_due_at = NULL');
    await started.stop();
  },
);
let api: Integrator;
beforeAll(async () => {
  const key = await createKey(usage.service.database, usage.workspace.sandbox, [...KEY_SCOPES]);
  api = new Integrator(usage.service.urls.sandbox, key);
});

/** Hours from now, at half hours, so that no instant passes while a case runs. */
const hours = (min: number, max: number) => fc.integer({ min, max }).map((n) => (n + 0.5) * HOUR_MS);

const entitlement = fc.record({
  quota: fc.constantFrom(null, 0, 3, 10),
  perSeat: fc.boolean(),
  resetInterval: fc.constantFrom<EntitlementSeed['resetInterval'] & string>(
    'billing_period',
    'day',
    'week',
    'month',
    'never',
  ),
  enforcement: fc.constantFrom<'hard' | 'soft'>('hard', 'hard', 'soft'),
  creditCost: fc.constantFrom(null, 0.5, 3),
  rolls: fc.constantFrom<EntitlementSeed['rollover']>(
    undefined,
    { periods: 2 },
    { periods: 3, max: 4, first: true },
  ),
});

const subscription = fc.record({
  terms: fc.option(entitlement, { freq: 8 }),
  provider: fc.constantFrom('internal', 'provider_a', 'provider_c'),
  status: fc.constantFrom('trialing', 'active', 'active', 'past_due', 'cancelled', 'expired', 'incomplete'),
  seats: fc.integer({ min: 1, max: 3 }),
  began: hours(1, 24 * 70),
  ends: hours(-48, 24 * 20),
  cancels: fc.boolean(),
  pastDue: fc.option(hours(0, 24 * 40)),
  paymentDue: fc.option(hours(-24 * 20, 24 * 5), { freq: 3 }),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  interval: fc.constantFrom('month', 'year'),
});

const quantity = fc.constantFrom(0.5, 1, 2, 5, 12);
const turn = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('use' as const), quantity }) },
  fc.record({ kind: fc.constant('late' as const), quantity, hoursAgo: fc.integer({ min: 1, max: 24 * 30 }) }),
  fc.record({ kind: fc.constant('hold' as const), quantity }),
  fc.record({ kind: fc.constant('reverse' as const) }),
  fc.record({ kind: fc.constant('edit' as const), terms: entitlement }),
  fc.record({ kind: fc.constant('seats' as const), seats: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    kind: fc.constant('move' as const),
    anchor: hours(-24 * 40, 24 * 20),
    start: hours(-24 * 40, -1),
    interval: fc.constantFrom('month', 'year'),
  }),
);

const life = fc.record({
  subscriptions: fc.array(subscription, { maxLength: 2 }),
  credits: fc.array(
    fc.record({ amount: fc.integer({ min: 1, max: 9 }), expires: fc.option(hours(-30, 50)) }),
    {
      maxLength: 3,
    },
  ),
  turns: fc.array(turn, { maxLength: 6 }),
});

type Body = Record<string, unknown>;
const FIGURES = [
  ...['allowed', 'reason', 'usage', 'quota', 'remaining', 'unlimited', 'enforcement', 'rollover', 'reserved'],
  ...['creditBalance', 'period', 'plan', 'subscriptionId'],
];
const of = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, body[name]]));

type Terms = typeof entitlement extends fc.Arbitrary<infer T> ? T : never;

/** An unlimited quota, or one that never resets, has no rollover. */
function possible({ rolls, ...terms }: Terms): Omit<EntitlementSeed, 'feature'> {
  const isOver = terms.quota !== null && terms.resetInterval !== 'never';
  return isOver && rolls !== undefined ? { ...terms, rollover: rolls } : terms;
}

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

interface About {
  externalId: string;
  feature: string;
  customerId: string;
  /** The last recorded use. */
  eventId: string | null;
}

const LEFT = ['usage', 'quota', 'remaining', 'unlimited', 'rollover', 'reserved', 'creditBalance'];

let made = 0;
async function make({
  subscriptions,
  credits,
}: typeof life extends fc.Arbitrary<infer L> ? L : never): Promise<About> {
  made += 1;
  const [externalId, feature] = [`life_${made}`, `units_${made}`];
  const now = Date.now();
  const customerId = await usage.seed.customer(externalId);
  await usage.seed.feature(feature);
  for (const [index, one] of subscriptions.entries()) {
    const { terms, status, seats, provider, timeZone } = one;
    const plan = await usage.seed.plan(
      `${externalId}-${index}`,
      terms === null ? [] : [{ feature, ...possible(terms) }],
    );
    await usage.seed.subscription(customerId, plan, {
      anchor: now - one.began,
      status,
      seats,
      provider,
      time_zone: timeZone,
      billing_interval: one.interval,
      current_period_end: new Date(Math.max(now + one.ends, now - one.began + HOUR_MS / 4)),
      cancel_at_period_end: provider === 'internal' ? false : one.cancels,
      past_due_since: status === 'past_due' && one.pastDue !== null ? new Date(now - one.pastDue) : null,
      payment_due_at: one.paymentDue === null ? null : new Date(now + one.paymentDue),
    });
  }
  for (const { amount, expires } of credits)
    await usage.seed.credits(customerId, amount, expires === null ? null : new Date(now + expires));
  return { externalId, feature, customerId, eventId: null };
}

async function look({ externalId, feature }: About): Promise<void> {
  const [check, listed, customer, credits] = await Promise.all([
    api.check(externalId, feature),
    api.send('GET', `/v1/customers/${externalId}/entitlements`),
    api.send('GET', `/v1/customers/${externalId}`),
    api.send('GET', `/v1/customers/${externalId}/credits`),
  ]);
  const entitlements = listed.body['data'] as Body[];
  const entitled = entitlements.find((one) => one['feature'] === feature) ?? {};
  expect(of(entitled, FIGURES)).toEqual(of(check.body, FIGURES));
  expect(credits.body['balance']).toBe(check.body['creditBalance']);
  const balance = (customer.body['balances'] as Body[]).find((one) => one['feature'] === feature);
  if (balance !== undefined) {
    const { feature: _, ...figures } = balance;
    expect(of(check.body, Object.keys(figures))).toEqual(figures);
  }
}

/** Requires that a use is decided like the check before it, and that the next check shows its result. */
async function use({ externalId, feature }: About, quantity: number): Promise<string | null> {
  const check = (await api.check(externalId, feature, quantity)).body;
  const track = await api.track(externalId, feature, quantity);
  expect([check['allowed'], track.status]).toEqual(check['allowed'] === true ? [true, 200] : [false, 403]);
  const after = (await api.check(externalId, feature)).body;
  if (track.status === 200) {
    expect(of(after, LEFT)).toEqual(of(track.body, LEFT));
    return String(track.body['eventId']);
  }
  expect(track.body['code']).toBe((check['reason'] as Body)['code']);
  expect(of(track.body['decision'] as Body, FIGURES)).toEqual(of(check, FIGURES));
  expect(of(after, LEFT)).toEqual(of(check, LEFT));
  return null;
}

async function take(about: About, one: Turn): Promise<void> {
  const { externalId, feature, customerId } = about;
  const now = Date.now();
  const ofCustomer = 'plan_id IN (SELECT plan_id FROM tollgate.subscriptions WHERE customer_id = $1)';
  switch (one.kind) {
    case 'use':
      about.eventId = (await use(about, one.quantity)) ?? about.eventId;
      return;
    case 'late': {
      const timestamp = new Date(now - one.hoursAgo * HOUR_MS).toISOString();
      const track = await api.track(externalId, feature, one.quantity, randomUUID(), { timestamp });
      expect([200, 403]).toContain(track.status);
      return;
    }
    case 'hold': {
      const reserve = { expiresInSeconds: 3_600 };
      const check = { externalId, feature, quantity: one.quantity, reserve };
      expect((await api.send('POST', '/v1/usage/check', check)).status).toBe(200);
      return;
    }
    case 'reverse': {
      if (about.eventId === null) return;
      const path = `/v1/usage/events/${about.eventId}/reverse`;
      const { status } = await api.send('POST', path, { reason: 'r' }, { 'Idempotency-Key': randomUUID() });
      expect([201, 409]).toContain(status);
      return;
    }
    case 'edit': {
      const { quota, perSeat, resetInterval, enforcement, creditCost, rollover } = possible(one.terms);
      await usage.service.database.query(
        `UPDATE tollgate.plan_entitlements SET quota = $2, per_seat = $3, reset_interval = $4, enforcement = $5, credit_cost = $6,
                rollover_periods = $7, rollover_max = $8, rollover_first = $9, updated_at = $10 WHERE ${ofCustomer}`,
        [customerId, quota, perSeat, resetInterval, enforcement, creditCost]
          .concat([rollover?.periods ?? 0, rollover?.max ?? null, rollover?.first ?? false])
          .concat([new Date(now).toISOString()]),
      );
      return;
    }
    case 'seats':
      await usage.service.database.query(
        'UPDATE tollgate.subscriptions SET seats = $2, updated_at = $3 WHERE customer_id = $1',
        [customerId, one.seats, new Date(now)],
      );
      return;
    case 'move':
      // As a payment provider does, or a change of interval at a renewal.
      await usage.service.database.query(
        `UPDATE tollgate.subscriptions
            SET billing_anchor = $2, billing_interval = $3, updated_at = $5,
                current_period_start = greatest(started_at, least($4::timestamptz, current_period_end - interval '1 minute'))
          WHERE customer_id = $1`,
        [customerId, new Date(now + one.anchor), one.interval, new Date(now + one.start), new Date(now)],
      );
  }
}

test('check, the list of entitlements, balances and track agree at every turn of random lives', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (lived) => {
      const about = await make(lived);
      await look(about);
      for (const one of lived.turns) {
        await take(about, one);
        await look(about);
      }
    }),
    cases(12),
  );
});
