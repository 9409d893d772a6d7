import fc from 'fast-check';
import { majorUnits } from '../../src/domain/major-units';

test.each([
  ['1451', 'USD', '14.51'],
  ['5', 'USD', '0.05'],
  ['0', 'USD', '0.00'],
  ['-1451', 'USD', '-14.51'],
  ['-5', 'KWD', '-0.005'],
  ['1451', 'JPY', '1451'],
  ['0', 'JPY', '0'],
  ['1400', 'HUF', '14.00'],
  ['150.5', 'USD', '1.505'],
  ['150.5', 'JPY', '150.5'],
  ['123456789012345678', 'USD', '1234567890123456.78'],
])('%s minor units of %s are %s', (minorUnits, currency, decimal) => {
  expect(majorUnits(minorUnits, currency)).toBe(decimal);
});

test('no digit is lost or added', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.constantFrom('JPY', 'USD', 'KWD'), (minorUnits, currency) => {
      expect(BigInt(majorUnits(minorUnits.toString(), currency).replace('.', ''))).toBe(minorUnits);
    }),
  );
});

test('an unknown currency is refused', () => {
  expect(() => majorUnits('1', 'XXX')).toThrow(RangeError);
});
