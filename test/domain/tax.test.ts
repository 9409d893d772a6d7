import Big from 'big.js';
import fc from 'fast-check';
import {
  applyTax,
  divideHalfEven,
  snapshotTax,
  taxChargedHere,
  type TaxSnapshot,
} from '../../src/domain/tax';
import { cases } from './property';

const amounts = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
/** Rates as settings accept them: fractions with at most six decimals. */
const rates = fc
  .array(
    fc.integer({ min: 0, max: 1_000_000 }).map((parts) => ({
      name: 'VAT',
      rate: new Big(parts).div(1_000_000).toFixed(),
    })),
    { maxLength: 3 },
  )
  .map((list): TaxSnapshot['rates'] => list);

const sumOf = (list: TaxSnapshot['rates']): Big => list.reduce((sum, { rate }) => sum.plus(rate), new Big(0));

describe('tax', () => {
  it.each([
    // 19 % on top of 14.51 is 2.7569; 19 % included in 14.51 is 2.3167….
    ['exclusive', '0.19', 1451n, { subtotal: 1451n, tax: 276n, total: 1727n }],
    ['inclusive', '0.19', 1451n, { subtotal: 1451n, tax: 232n, total: 1451n }],
    ['none', '0.19', 1451n, { subtotal: 1451n, tax: 0n, total: 1451n }],
    // Halves round to even, for positive and negative amounts.
    ['exclusive', '0.5', 1n, { subtotal: 1n, tax: 0n, total: 1n }],
    ['exclusive', '0.5', 3n, { subtotal: 3n, tax: 2n, total: 5n }],
    ['exclusive', '0.5', -1n, { subtotal: -1n, tax: 0n, total: -1n }],
    ['exclusive', '0.5', -3n, { subtotal: -3n, tax: -2n, total: -5n }],
    ['inclusive', '1', 1n, { subtotal: 1n, tax: 0n, total: 1n }],
    ['inclusive', '1', 3n, { subtotal: 3n, tax: 2n, total: 3n }],
    ['inclusive', '1', -3n, { subtotal: -3n, tax: -2n, total: -3n }],
    ['exclusive', '0', 1451n, { subtotal: 1451n, tax: 0n, total: 1451n }],
  ] as const)('%s at %s of %s minor units', (behavior, rate, subtotal, expected) => {
    expect(applyTax(subtotal, { behavior, rates: [{ name: 'VAT', rate }] })).toEqual(expected);
  });

  it('rounds once for several rates together', () => {
    const two = [
      { name: 'GST', rate: '0.05' },
      { name: 'PST', rate: '0.07' },
    ];
    // 5 % and 7 % of 0.10 are 0.005 and 0.007; rounded separately, they would add up to 0.01 + 0.01.
    expect(applyTax(10n, { behavior: 'exclusive', rates: two }).tax).toBe(1n);
  });

  it('exclusive: what is to be paid is the subtotal and its tax, to within half a minor unit', () => {
    fc.assert(
      fc.property(amounts, rates, (subtotal, list) => {
        const taxed = applyTax(subtotal, { behavior: 'exclusive', rates: list });
        expect(taxed.subtotal).toBe(subtotal);
        expect(taxed.total).toBe(taxed.subtotal + taxed.tax);
        const exact = new Big(subtotal.toString()).times(sumOf(list));
        expect(exact.minus(taxed.tax.toString()).abs().lte(0.5)).toBe(true);
      }),
      cases(500),
    );
  });

  it('inclusive: the net price and its tax make exactly what is to be paid', () => {
    fc.assert(
      fc.property(amounts, rates, (subtotal, list) => {
        const taxed = applyTax(subtotal, { behavior: 'inclusive', rates: list });
        expect(taxed.total).toBe(subtotal);
        const net = taxed.total - taxed.tax;
        // tax = net × rate, up to the error of rounding both by half a unit: (1 + rate) / 2.
        const rate = sumOf(list);
        const off = new Big(net.toString()).times(rate).minus(taxed.tax.toString()).abs();
        expect(off.lte(rate.plus(1).div(2))).toBe(true);
      }),
      cases(500),
    );
  });

  it('of a credit is the tax of the charge, taken back', () => {
    fc.assert(
      fc.property(
        amounts,
        rates,
        fc.constantFrom<TaxSnapshot['behavior']>('exclusive', 'inclusive', 'none'),
        (subtotal, list, behavior) => {
          const snapshot = { behavior, rates: list };
          expect(applyTax(-subtotal, snapshot).tax).toBe(-applyTax(subtotal, snapshot).tax);
        },
      ),
      cases(300),
    );
  });
});

describe('rounding half-even', () => {
  it('is to the nearest whole number, and of two as near to the even one', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (dividend, divisor) => {
          const quotient = divideHalfEven(dividend, divisor);
          const off = dividend - quotient * divisor;
          const distance = (off < 0n ? -off : off) * 2n;
          expect(distance <= divisor).toBe(true);
          if (distance === divisor) expect(quotient % 2n).toBe(0n);
          expect(divideHalfEven(-dividend, divisor)).toBe(-quotient);
        },
      ),
      cases(1000),
    );
  });

  it.each([
    [1n, 0n],
    [3n, 2n],
    [5n, 2n],
    [7n, 4n],
    [-1n, 0n],
    [-3n, -2n],
    [-5n, -2n],
  ])('%s halves are %s', (halves, whole) => {
    expect(divideHalfEven(halves, 2n)).toBe(whole);
  });
});

describe('the tax of a customer', () => {
  const taxRates = [
    { name: 'VAT', rate: '0.19', country: 'DE' },
    { name: 'Levy', rate: '0.01', country: 'DE' },
    { name: 'Sales tax', rate: '0.05' },
  ];

  it('is that of the country, all its rates', () => {
    expect(snapshotTax({ taxBehavior: 'exclusive', taxRates }, 'DE')).toEqual({
      behavior: 'exclusive',
      rates: [
        { name: 'VAT', rate: '0.19' },
        { name: 'Levy', rate: '0.01' },
      ],
    });
  });

  it.each(['FR', null])('is what holds everywhere for %s', (country) => {
    expect(snapshotTax({ taxBehavior: 'inclusive', taxRates }, country).rates).toEqual([
      { name: 'Sales tax', rate: '0.05' },
    ]);
  });

  it('is none where the workspace has none', () => {
    expect(snapshotTax({ taxBehavior: 'none', taxRates }, 'DE')).toEqual({ behavior: 'none', rates: [] });
  });
});

test.each([
  ['internal', 120n],
  ['provider_a', 100n],
  ['provider_b', 100n],
  ['provider_c', 100n],
] as const)('at %s, 100 with 20 %% on it come to %s', (provider, total) => {
  const tax: TaxSnapshot = { behavior: 'exclusive', rates: [{ name: 'VAT', rate: '0.2' }] };
  expect(applyTax(100n, taxChargedHere(provider, tax)).total).toBe(total);
});
