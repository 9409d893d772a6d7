import fc from 'fast-check';
import {
  decimalFromNumber,
  decimalPlaces,
  decimalToNumber,
  divideDown,
  formatDecimal,
  multiplyDecimal,
  parseDecimal,
} from '../../src/domain/decimal';
import { cases } from './property';

const ONE = 10n ** 12n;
const sixDecimals = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map((micros) => micros * 10n ** 6n);
const anyDecimal = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });

describe('reading decimals', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['0.000000', 0n],
    ['12.500000', 12_500_000_000_000n],
    ['-0.1', -100_000_000_000n],
    ['1000000000000', ONE * 10n ** 12n],
    ['0.000000000001', 1n],
    ['0.0000000000010000', 1n],
    ['1e-7', 100_000n],
    ['1.5e+21', 15n * 10n ** 20n * ONE],
    ['100e-14', 1n],
  ])('reads %s', (text, expected) => {
    expect(parseDecimal(text)).toBe(expected);
  });

  it.each(['', ' 1', '1 ', '.5', '5.', '+1', '1,5', '0x10', 'NaN', 'Infinity', '1e', '1e9999', '1_000', '٣'])(
    'refuses %j',
    (text) => {
      expect(() => parseDecimal(text)).toThrow(RangeError);
    },
  );

  it.each(['0.0000000000001', '1e-13', '15e-13', '1e-300'])(
    'refuses more than twelve decimals: %s',
    (text) => {
      expect(() => parseDecimal(text)).toThrow(/More than 12 decimals/);
    },
  );

  it('refuses text that would only cost time', () => {
    expect(() => parseDecimal('9'.repeat(1_000_000))).toThrow(RangeError);
  });
});

describe('decimals and JS numbers', () => {
  it('makes 0.1 ten times exactly 1', () => {
    let sum = 0n;
    for (let i = 0; i < 10; i++) sum += decimalFromNumber(0.1);
    expect(sum).toBe(ONE);
    expect(decimalToNumber(sum)).toBe(1);
  });

  it.each([NaN, Infinity, -Infinity, 1e-13, Number.MIN_VALUE])('refuses %d', (n) => {
    expect(() => decimalFromNumber(n)).toThrow(RangeError);
  });

  it('returns each number of at most twelve decimals unchanged', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e25, max: 1e25 }),
      fc.integer(),
      fc.integer().map((n) => n / 1e6),
    );
    fc.assert(
      fc.property(number, (n) => {
        let decimal: bigint;
        try {
          decimal = decimalFromNumber(n);
        } catch {
          fc.pre(false);
          return;
        }
        expect(decimalToNumber(decimal)).toBe(n === 0 ? 0 : n);
      }),
      cases(1000),
    );
  });

  it('gives the nearest double of a decimal that no double holds', () => {
    expect(decimalToNumber(parseDecimal('999999999999.123456'))).toBe(999999999999.123456);
    expect(decimalToNumber(parseDecimal('9007199254740993'))).toBe(9007199254740992);
  });
});

describe('printing decimals', () => {
  it.each([
    ['12.500000', '12.5'],
    ['-0.10', '-0.1'],
    ['-7', '-7'],
    ['1e21', '1000000000000000000000'],
    ['1e-12', '0.000000000001'],
    ['-0', '0'],
  ])('prints %s as %s', (text, expected) => {
    expect(formatDecimal(parseDecimal(text))).toBe(expected);
  });

  it('prints what it reads back, canonically', () => {
    fc.assert(
      fc.property(anyDecimal, (d) => {
        const text = formatDecimal(d);
        expect(parseDecimal(text)).toBe(d);
        expect(text).toMatch(/^(0|-?(?!0$)(0|[1-9]\d*)(\.\d*[1-9])?)$/);
        expect(decimalPlaces(d)).toBe(text.split('.')[1]?.length ?? 0);
      }),
      cases(1000),
    );
  });
});

describe('calculating with decimals', () => {
  it('multiplies six decimals by six decimals without loss', () => {
    fc.assert(
      fc.property(sixDecimals, sixDecimals, (a, b) => {
        expect(multiplyDecimal(a, b) * ONE).toBe(a * b);
      }),
      cases(500),
    );
  });

  it('rounds a longer product and each quotient down, also below zero', () => {
    expect(multiplyDecimal(1n, -1n)).toBe(-1n);
    expect(multiplyDecimal(1n, 1n)).toBe(0n);
    expect(divideDown(ONE, 3n * ONE, 6)).toBe(333_333n * 10n ** 6n);
    expect(divideDown(-ONE, 3n * ONE, 6)).toBe(-333_334n * 10n ** 6n);
    expect(divideDown(7n * ONE, 2n * ONE, 0)).toBe(3n * ONE);
  });

  it('divides to the largest quotient of that many decimals whose product fits', () => {
    fc.assert(
      fc.property(sixDecimals, fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.nat(12), (a, micros, decimals) => {
        const b = micros * 10n ** 6n;
        const step = 10n ** BigInt(12 - decimals);
        const quotient = divideDown(a, b, decimals);
        expect(quotient % step).toBe(0n);
        expect(quotient * b <= a * ONE).toBe(true);
        expect((quotient + step) * b > a * ONE).toBe(true);
      }),
      cases(500),
    );
  });

  it('refuses to divide by zero or to thirteen decimals', () => {
    expect(() => divideDown(ONE, 0n, 6)).toThrow(RangeError);
    expect(() => divideDown(ONE, ONE, 13)).toThrow(RangeError);
    expect(() => divideDown(ONE, ONE, 1.5)).toThrow(RangeError);
  });
});
