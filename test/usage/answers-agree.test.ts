import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { KEY_SCOPES } from '../../src/domain/key-scopes';
import type { EntitlementSeed } from '../support/catalogue';
import { cases } from '../domain/property';
import { Integrator } from '../support/integrator';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';

/** What decides, what lists and what shows say the same of one customer, in whatever state its subscriptions are. */
const HOUR = 3_600_000;
let usage: UsageWorkspace;
let api: Integrator;
beforeAll(async () => {
  usage = await UsageWorkspace.start();
  const key = await createKey(usage.service.database, usage.workspace.sandbox, [...KEY_SCOPES]);
  api = new Integrator(usage.service.urls.sandbox, key);
});
afterAll(async () => {
  // No transaction stands behind what the lives owe, and the verifier would miss it.
  await usage.service.database.query('UPDATE tollgate.subscriptions SET payment_due_at = NULL');
  await usage.stop();
});

/** Hours from now, and never an instant that passes while a case runs. */
const hours = (min: number, max: number) => fc.integer({ min, max }).map((n) => (n + 0.5) * HOUR);

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

const life = fc.record({
  subscriptions: fc.array(subscription, { maxLength: 2 }),
  credits: fc.array(
    fc.record({ amount: fc.integer({ min: 1, max: 9 }), expires: fc.option(hours(-30, 50)) }),
    {
      maxLength: 3,
    },
  ),
  uses: fc.array(fc.constantFrom(0.5, 1, 2, 5, 12), { maxLength: 4 }),
});

type Body = Record<string, unknown>;
const FIGURES = [
  ...['allowed', 'reason', 'usage', 'quota', 'remaining', 'unlimited', 'enforcement', 'rollover', 'reserved'],
  ...['creditBalance', 'period', 'plan', 'subscriptionId'],
];
const of = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, body[name]]));

type Terms = typeof entitlement extends fc.Arbitrary<infer T> ? T : never;

/** Nothing is left over of an unlimited quota, nor of one that never resets. */
function possible({ rolls, ...terms }: Terms): Omit<EntitlementSeed, 'feature'> {
  const isOver = terms.quota !== null && terms.resetInterval !== 'never';
  return isOver && rolls !== undefined ? { ...terms, rollover: rolls } : terms;
}

let made = 0;
async function make({ subscriptions, credits }: typeof life extends fc.Arbitrary<infer L> ? L : never) {
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
      ...{
        anchor: now - one.began,
        status,
        seats,
        provider,
        time_zone: timeZone,
        billing_interval: one.interval,
      },
      current_period_end: new Date(Math.max(now + one.ends, now - one.began + HOUR / 4)),
      cancel_at_period_end: provider === 'internal' ? false : one.cancels,
      past_due_since: status === 'past_due' && one.pastDue !== null ? new Date(now - one.pastDue) : null,
      payment_due_at: one.paymentDue === null ? null : new Date(now + one.paymentDue),
    });
  }
  for (const { amount, expires } of credits)
    await usage.seed.credits(customerId, amount, expires === null ? null : new Date(now + expires));
  return { externalId, feature };
}

async function look({ externalId, feature }: { externalId: string; feature: string }): Promise<Body> {
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
  return check.body;
}

test('check, the list of entitlements, balances and track agree at every turn of random lives', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (lived) => {
      const about = await make(lived);
      let shown = await look(about);
      for (const quantity of lived.uses) {
        const check = (await api.check(about.externalId, about.feature, quantity)).body;
        const track = await api.track(about.externalId, about.feature, quantity, randomUUID());
        expect([check['allowed'], track.status]).toEqual(
          check['allowed'] === true ? [true, 200] : [false, 403],
        );
        if (track.status !== 200) {
          expect(track.body['code']).toBe((check['reason'] as Body)['code']);
          expect(of(track.body['decision'] as Body, FIGURES)).toEqual(of(check, FIGURES));
          expect(await look(about)).toMatchObject(of(shown, FIGURES));
          continue;
        }
        shown = await look(about);
        const left = ['usage', 'quota', 'remaining', 'unlimited', 'rollover', 'reserved', 'creditBalance'];
        expect(of(shown, left)).toEqual(of(track.body, left));
      }
    }),
    cases(12),
  );
});
