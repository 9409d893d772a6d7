import fc from 'fast-check';
import { currencyExponent, isCurrency } from '../../src/domain/currency';
import { formatMoney, multiplyRate, parseMoney } from '../../src/domain/money';
import { cases } from './property';

const amounts = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n });
const currencies = fc.constantFrom('USD', 'JPY', 'KWD');

describe('money on the wire', () => {
  it('is a whole number of minor units as text', () => {
    expect(parseMoney({ amount: '1451', currency: 'USD' })).toEqual({ amount: 1451n, currency: 'USD' });
  });

  it.each(['', '14.51', '1e3', '+1', ' 1', '1 ', '0x1', '-', '1'.repeat(19)])(
    'refuses the amount %j',
    (amount) => {
      expect(() => parseMoney({ amount, currency: 'USD' })).toThrow(RangeError);
    },
  );

  it.each(['', 'usd', 'US', 'USDT', 'ZZZ', 'XAU', 'DEM'])('refuses the currency %j', (currency) => {
    expect(() => parseMoney({ amount: '1', currency })).toThrow(RangeError);
  });

  it('reads what it prints', () => {
    fc.assert(
      fc.property(amounts, currencies, (amount, currency) => {
        expect(parseMoney(formatMoney({ amount, currency }))).toEqual({ amount, currency });
      }),
      cases(500),
    );
  });
});

describe('an amount times a rate', () => {
  it.each([
    [1451n, '0.19', 276n], // 275.69
    [50n, '0.05', 2n], // 2.5 rounds to even
    [70n, '0.05', 4n], // 3.5
    [-50n, '0.05', -2n],
    [-70n, '0.05', -4n],
    [1n, '-0.4', 0n],
    [999_999_999_999_999_999n, '1', 999_999_999_999_999_999n],
    [100n, '0', 0n],
  ])('rounds %d times %s half-even to %d', (amount, rate, expected) => {
    expect(multiplyRate(amount, rate)).toBe(expected);
  });

  it.each(['', '19%', '1e-2', '.5', 'NaN', ' 1'])('refuses the rate %j', (rate) => {
    expect(() => multiplyRate(1n, rate)).toThrow(RangeError);
  });

  it('is never further from the exact product than half a minor unit, and even when it is half', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: -2_000_000, max: 2_000_000 }), (amount, millionths) => {
        const rate = `${millionths < 0 ? '-' : ''}${Math.floor(Math.abs(millionths) / 1e6)}.${String(Math.abs(millionths) % 1e6).padStart(6, '0')}`;
        const rounded = multiplyRate(amount, rate);
        const error = rounded * 1_000_000n - amount * BigInt(millionths);
        const distance = error < 0n ? -error : error;
        expect(distance <= 500_000n).toBe(true);
        if (distance === 500_000n) expect(rounded % 2n).toBe(0n);
      }),
      cases(1000),
    );
  });
});

describe('currencies', () => {
  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['UGX', 0],
    ['ISK', 0],
    ['HUF', 2],
    ['TND', 3],
  ])('%s has %d decimals', (code, exponent) => {
    expect(currencyExponent(code)).toBe(exponent);
  });

  it('refuses to guess the decimals of an unknown one', () => {
    expect(() => currencyExponent('ZZZ')).toThrow(RangeError);
  });

  it('knows the currencies that people pay with, and no withdrawn ones', () => {
    const used = [
      'AED',
      'ARS',
      'AUD',
      'BRL',
      'CAD',
      'CHF',
      'CNY',
      'EUR',
      'GBP',
      'INR',
      'MXN',
      'NGN',
      'PLN',
      'ZAR',
    ];
    expect(used.filter((code) => !isCurrency(code))).toEqual([]);
    expect(['DEM', 'HRK', 'BGN', 'ANG', 'ZWL'].filter(isCurrency)).toEqual([]);
  });
});
