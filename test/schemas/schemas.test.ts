import fc from 'fast-check';
import { nonNegativeDecimal, positiveDecimal } from '../../src/schemas/decimal';
import { instantInput } from '../../src/schemas/instant';
import { metadataInput, planMetadataInput } from '../../src/schemas/metadata';
import { priceInput, toMoney } from '../../src/schemas/money';
import { externalId, featureKey, line, slug, text } from '../../src/schemas/text';

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

test('text takes what Postgres can store, and nothing is trimmed', () => {
  expect(text({ max: 10 }).parse('  a\n ')).toBe('  a\n ');
  expect(text({ max: 4 }).parse('🙂')).toBe('🙂');
  for (const value of ['a\0', '\ud800', 'x\udc00', 'a'.repeat(11), 5, null]) {
    expect([value, takes(text({ max: 10 }), value)]).toEqual([value, false]);
  }
  for (const value of ['a\nb', 'a\tb', '\u007f', '\u0085', '']) {
    expect([value, takes(line({ min: 1, max: 10 }), value)]).toEqual([value, false]);
  }
});

test('slugs and keys are short names in lower case', () => {
  for (const value of ['a', 'pro-2026', 'pro_yearly', '1'])
    expect([value, takes(slug, value)]).toEqual([value, true]);
  for (const value of ['', 'Pro', 'a--b', '-a', 'a-', 'a.b', 'a b', 'ä', 'a'.repeat(65)]) {
    expect([value, takes(slug, value)]).toEqual([value, false]);
  }
  expect(takes(featureKey, 'export.pdf')).toBe(true);
  expect(takes(featureKey, 'export..pdf')).toBe(false);
  expect([takes(externalId, 'x'.repeat(255)), takes(externalId, 'x'.repeat(256))]).toEqual([true, false]);
});

test('decimals are taken exactly up to six places, and no further', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), fc.nat({ max: 6 }), (units, places) => {
      const value = units / 10 ** places;
      expect(takes(nonNegativeDecimal, value)).toBe(true);
      expect(takes(positiveDecimal, value)).toBe(units > 0);
      const tooPrecise = (units * 10 + 1) / 10 ** 7;
      expect(takes(nonNegativeDecimal, tooPrecise)).toBe(false);
    }),
  );
  for (const value of [-0.1, 1e12 + 1, NaN, Infinity, 5e-324, 1e300, '1', null]) {
    expect([value, takes(nonNegativeDecimal, value)]).toEqual([value, false]);
  }
  expect([takes(positiveDecimal, 1e12), takes(positiveDecimal, 1e-6), takes(positiveDecimal, 0)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('instants need a zone and a plausible year', () => {
  expect(instantInput.parse('2026-01-31T02:00:00+02:00')).toBe(Date.UTC(2026, 0, 31));
  expect(instantInput.parse('2024-02-29T00:00:00.5Z')).toBe(Date.UTC(2024, 1, 29) + 500);
  for (const value of [
    '2026-02-29T00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    0,
  ]) {
    expect([value, takes(instantInput, value)]).toEqual([value, false]);
  }
});

test('a time whose + has become a space in a query is refused with the reason', () => {
  const messageOf = (value: unknown) => instantInput.safeParse(value).error?.issues.map((one) => one.message);
  const query = new URLSearchParams('from=2026-01-31T02:00:00+02:00');
  expect(messageOf(query.get('from'))).toEqual([
    'has a space before its offset: write the + as %2B in an address',
  ]);
  for (const value of ['2026-01-31 02:00:00', '2026-01-31', 'T 02:0', 5])
    expect(messageOf(value)).toEqual(['is not an ISO 8601 time with Z or an offset']);
});

test('money keeps every minor unit of 18 digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (amount) => {
      const money = priceInput.parse({ amount: amount.toString(), currency: 'JPY' });
      expect(toMoney(money.amount, money.currency)).toEqual({ amount: amount.toString(), currency: 'JPY' });
    }),
  );
  for (const amount of ['', '01', '-1', '+1', '1.0', '1e3', ' 1', 1]) {
    expect([amount, takes(priceInput, { amount, currency: 'USD' })]).toEqual([amount, false]);
  }
});

test('metadata is flat and bounded', () => {
  expect(metadataInput.parse({ a: 'x', b: 1.5, c: false, d: null })).toEqual({
    a: 'x',
    b: 1.5,
    c: false,
    d: null,
  });
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'x']));
  for (const schema of [metadataInput, planMetadataInput]) {
    expect(takes(schema, keys(50))).toBe(true);
    for (const value of [
      keys(51),
      { a: {} },
      { a: [] },
      { '': 1 },
      { ['k'.repeat(65)]: 1 },
      { 'a\0': 1 },
      { a: 'x'.repeat(501) },
      [],
      'x',
    ]) {
      expect([value, takes(schema, value)]).toEqual([value, false]);
    }
  }
  const long = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
  expect(takes(metadataInput, long)).toBe(false);
  expect(planMetadataInput.parse({ providerAPriceId: 'price_1', x: 1 })).toEqual({
    providerAPriceId: 'price_1',
    x: 1,
  });
  expect(takes(planMetadataInput, { providerBPlanId: '' })).toBe(false);
});
