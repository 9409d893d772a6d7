import { DAY_MS } from '../../src/domain/instant';
import type { PlanName } from '../support/provider-world';
import { useStarted } from '../support/use-started';
import { ProviderYear } from './provider-year';
import { SkippedYears } from './provider-year-world';
import type { PaymentProvider } from '../../src/domain/provider';

// At the end the verifier checks all data and must find no difference.
const years = useStarted(() => SkippedYears.start());

const REFERENCES: Record<PaymentProvider, Record<PlanName, string>> = {
  provider_a: { starter: 'price_starter', pro: 'price_pro', large: 'price_large' },
  provider_b: { starter: 'P-STARTER', pro: 'P-PRO', large: 'P-LARGE' },
  provider_c: { starter: 'PLN_starter', pro: 'PLN_pro', large: 'PLN_large' },
};

/** Expects this plan, this status and the same period, both here and at the provider. */
async function agrees(year: ProviderYear, status: string, plan: PlanName): Promise<void> {
  const { subscription } = year;
  const here = await year.show();
  const there = await years.world.atProvider(subscription);
  expect([here.status, here.plan.slug, here.seats]).toEqual([status, plan, 1]);
  expect([there.status, there.planReference]).toEqual([status, REFERENCES[subscription.provider][plan]]);
  expect(there.quantity ?? 1).toBe(1);
  const [start, end] = [here.currentPeriodStart, here.currentPeriodEnd].map((text) => Date.parse(text));
  // A provider that no longer renews a subscription does not report its period, either.
  expect([there.currentPeriodStart ?? start, there.currentPeriodEnd ?? end]).toEqual([start, end]);
}

/** Expects the same payments and refunds here and at the provider, each once. */
async function moneyAgrees(year: ProviderYear): Promise<void> {
  const there = await year.moneyThere();
  const here = await year.payments();
  const known = there.payments.map(({ reference }) => here.filter(({ names }) => names.includes(reference)));
  expect(known.map((found) => found.map(({ amount, status }) => [amount, status]))).toEqual(
    there.payments.map(({ amount }) => [[String(amount), 'succeeded']]),
  );
  expect(new Set(known.flat().map(({ id }) => id)).size).toBe(there.payments.length);
  expect(here.filter(({ status }) => status === 'succeeded')).toHaveLength(there.payments.length);
  const refunds = await year.refunds();
  expect(refunds.map(({ amount, status }) => [amount, status])).toEqual([['700', 'succeeded']]);
  expect(there.refunds.map(({ amount, status }) => [String(amount), status])).toEqual([['700', 'succeeded']]);
}

/** Fails one payment. A and B collect it within days; C's next charge is next month's. */
async function failOnce(year: ProviderYear): Promise<void> {
  await year.take(false);
  await year.renew();
  expect((await year.show()).status).toBe('past_due');
  await year.take(true);
  await year.pass(8 * DAY_MS);
  if (year.subscription.provider === 'provider_c') await year.renew();
}

// Twelve periods. A charges the upgrade at once, and one failed charge of C is never collected.
test.each<[PaymentProvider, number]>([
  ['provider_a', 13],
  ['provider_b', 12],
  ['provider_c', 11],
])('a year of monthly life at %s ends here as it does there', async (provider, charges) => {
  const year = await ProviderYear.begin(years, provider);
  const changes = provider !== 'provider_c';
  let plan: PlanName = 'pro';
  await agrees(year, 'active', plan);
  const yearEnd = Date.parse((await year.show()).currentPeriodStart) + 360 * DAY_MS;
  await year.renew();
  await agrees(year, 'active', plan);
  await failOnce(year);
  await agrees(year, 'active', plan);

  const answers = [];
  for (const wanted of ['large', 'starter'] as const) {
    answers.push(await year.change(wanted));
    if (changes) plan = wanted;
    await year.renew();
    await agrees(year, 'active', plan);
  }
  expect(answers.map(({ status }) => status)).toEqual(changes ? [200, 200] : [422, 422]);
  if (!changes) expect(answers[0]?.body['code']).toBe('capability_unsupported');

  const { status, body } = await year.refund('700');
  expect([status, body['amount']]).toEqual([201, { amount: '700', currency: 'USD' }]);
  while (Date.parse((await year.show()).currentPeriodEnd) < yearEnd) {
    await year.renew();
    await agrees(year, 'active', plan);
  }
  expect((await year.command('cancel')).status).toBe(200);
  if (provider === 'provider_b') await year.pass(DAY_MS);
  else await year.renew();
  await agrees(year, 'cancelled', plan);
  await year.pass(40 * DAY_MS);
  await agrees(year, 'cancelled', plan);
  await moneyAgrees(year);
  expect(await year.payments()).toHaveLength(charges);
});
