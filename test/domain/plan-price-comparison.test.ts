import {
  comparePlanPrice,
  isSameInterval,
  type PlanPrice,
  type PriceAtProvider,
} from '../../src/domain/plan-price-comparison';

const PLAN: PlanPrice = { price: { amount: 3900n, currency: 'USD' }, interval: 'month', pricing: 'flat' };
const PRICE: PriceAtProvider = {
  reference: 'price_1',
  amount: '3900',
  currency: 'USD',
  interval: { unit: 'month', count: 1 },
  perSeat: true,
  taxBehavior: null,
  product: 'prod_1',
  unverifiable: null,
};

function compared(price: Partial<PriceAtProvider>, plan: Partial<PlanPrice> = {}) {
  return comparePlanPrice({ ...PLAN, ...plan }, { kind: 'read', price: { ...PRICE, ...price } });
}

test('a price that is the same is equal, and both sides are shown', () => {
  const side = { amount: '3900', currency: 'USD', interval: 'month', intervalCount: 1 };
  expect(compared({})).toEqual({
    result: 'equal',
    local: { ...side, pricing: 'flat' },
    provider: { ...side, pricing: 'per_seat' },
  });
});

test.each<[string, Partial<PriceAtProvider>, Partial<PlanPrice>, string[], string]>([
  [
    'the amount',
    { amount: '2900' },
    {},
    ['amount'],
    'It costs 39.00 USD a month here; at the payment provider, it costs 29.00 USD a month a seat.',
  ],
  [
    'amount, currency and interval',
    { amount: '9900', currency: 'EUR', interval: { unit: 'year', count: 1 }, perSeat: null },
    { price: { amount: 2000n, currency: 'USD' } },
    ['amount', 'currency', 'interval'],
    'It costs 20.00 USD a month here; at the payment provider, it costs 99.00 EUR a year.',
  ],
  [
    'how many intervals',
    { interval: { unit: 'month', count: 3 }, perSeat: null },
    {},
    ['interval'],
    'It costs 39.00 USD a month here; at the payment provider, it costs 39.00 USD every 3 months.',
  ],
  [
    'that it is paid once',
    { interval: 'once', perSeat: null },
    {},
    ['interval'],
    'It costs 39.00 USD a month here; at the payment provider, it costs 39.00 USD once.',
  ],
  [
    'parts of a minor unit',
    { amount: '3900.5', perSeat: null },
    {},
    ['amount'],
    'It costs 39.00 USD a month here; at the payment provider, it costs 39.005 USD a month.',
  ],
  [
    'an amount of a currency without decimals',
    { amount: '100', currency: 'JPY', perSeat: null },
    { price: { amount: 10000n, currency: 'JPY' } },
    ['amount'],
    'It costs 10000 JPY a month here; at the payment provider, it costs 100 JPY a month.',
  ],
  [
    'an amount of a currency with three decimals',
    { amount: '39000', currency: 'KWD', perSeat: null },
    { price: { amount: 3900n, currency: 'KWD' } },
    ['amount'],
    'It costs 3.900 KWD a month here; at the payment provider, it costs 39.000 KWD a month.',
  ],
  [
    'that seats cannot be counted there',
    { perSeat: false },
    { pricing: 'per_seat' },
    ['pricing'],
    'It costs 39.00 USD a month a seat here; at the payment provider, it costs 39.00 USD a month.',
  ],
])('%s differs, and the words name both', (_, price, plan, fields, words) => {
  expect(compared(price, plan)).toMatchObject({ result: 'differs', fields, words });
});

test('a year is twelve months and no 365 days, and a week seven days', () => {
  const year = { unit: 'year', count: 1 } as const;
  expect(isSameInterval(year, { unit: 'month', count: 12 })).toBe(true);
  expect(isSameInterval(year, { unit: 'day', count: 365 })).toBe(false);
  expect(isSameInterval({ unit: 'week', count: 1 }, { unit: 'day', count: 7 })).toBe(true);
  expect(isSameInterval({ unit: 'week', count: 4 }, { unit: 'month', count: 1 })).toBe(false);
  expect(compared({ interval: { unit: 'month', count: 12 } }, { interval: 'year' }).result).toBe('equal');
});

test('a missing member, and a charge in addition to the price, is unverifiable', () => {
  expect(compared({ amount: null, currency: null })).toMatchObject({
    result: 'unverifiable',
    code: 'not_stated',
    reason: 'The payment provider does not state the price’s amount, currency.',
  });
  const tiered = { code: 'tiered', reason: 'It is tiered.' } as const;
  expect(compared({ amount: null, unverifiable: tiered })).toMatchObject({
    result: 'unverifiable',
    ...tiered,
  });
  const unread = comparePlanPrice(PLAN, { kind: 'unread', reason: 'It did not answer.' });
  expect(unread).toMatchObject({ result: 'unverifiable', code: 'not_read', provider: null });
});

test('a certain difference counts before what cannot be known', () => {
  const packages = { code: 'quantity_transformed', reason: 'It is sold in packages.' } as const;
  expect(compared({ amount: '2900', unverifiable: packages })).toMatchObject({ result: 'differs' });
  expect(compared({ before: { setupFee: 'a setup fee' }, unverifiable: packages })).toMatchObject({
    result: 'differs',
    fields: ['setupFee'],
  });
  const tieredEuros = {
    amount: null,
    currency: 'EUR',
    unverifiable: { code: 'tiered', reason: '' },
  } as const;
  expect(compared(tieredEuros)).toMatchObject({ result: 'differs', fields: ['currency'] });
});
