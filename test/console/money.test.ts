import { formatMoney, parseMoney, toDecimal } from '../../console/src/ui/money';

describe('an amount that an operator types', () => {
  test.each([
    ['14.5', 'USD', '1450'],
    ['14', 'USD', '1400'],
    [' 0.07 ', 'USD', '7'],
    ['0014.00', 'USD', '1400'],
    ['0', 'USD', '0'],
    ['1500', 'JPY', '1500'],
    ['1.005', 'KWD', '1005'],
    // Browsers omit these digits.
    ['14.5', 'HUF', '1450'],
    ['14', 'IDR', '1400'],
    ['1.005', 'IQD', '1005'],
    // Beyond the integers that a number represents exactly.
    ['9007199254740993.01', 'USD', '900719925474099301'],
  ])('%s in %s is %s minor units', (typed, currency, amount) => {
    expect(parseMoney(typed, currency)).toEqual({ money: { amount, currency }, problem: null });
  });

  test.each([
    ['14.505', 'USD', 'USD has 2 digits after the point.'],
    ['1500.5', 'JPY', 'JPY has no digits after the point.'],
    ['1.0005', 'KWD', 'KWD has 3 digits after the point.'],
    ['14,50', 'USD', 'Enter an amount such as 1500.00, without separators.'],
    ['1.234,50', 'USD', 'Enter an amount such as 1500.00, without separators.'],
    ['1,234.50', 'USD', 'Enter an amount such as 1500.00, without separators.'],
    ['$12', 'USD', 'Enter an amount such as 1500.00, without separators.'],
    ['１２', 'USD', 'Enter an amount such as 1500.00, without separators.'],
    ['-1', 'USD', 'Enter an amount such as 1500.00, without separators.'],
    ['', 'JPY', 'Enter an amount such as 1500, without separators.'],
    ['1e3', 'USD', 'Enter an amount such as 1500.00, without separators.'],
    ['12345678901234567.00', 'USD', 'The amount is too large.'],
    ['1', 'dollars', 'Enter the code of a currency in use, such as USD.'],
    ['1', 'ABC', 'Enter the code of a currency in use, such as USD.'],
  ])('%s in %s is refused: %s', (typed, currency, problem) => {
    expect(parseMoney(typed, currency)).toEqual({ problem });
  });

  test.each([
    ['1451', 'USD', '14.51'],
    ['7', 'USD', '0.07'],
    ['1500', 'JPY', '1500'],
    ['1005', 'KWD', '1.005'],
  ])('%s minor units of %s are shown to be changed as %s', (amount, currency, typed) => {
    expect(toDecimal({ amount, currency })).toBe(typed);
    expect(parseMoney(typed, currency).money).toEqual({ amount, currency });
  });

  test.each([
    ['1451', 'USD', '$14.51'],
    ['1451', 'HUF', 'HUF 14.51'],
    ['1451', 'COP', 'COP 14.51'],
    ['1451', 'IQD', 'IQD 1.451'],
    ['1451', 'KWD', 'KWD 1.451'],
    ['1451', 'JPY', '¥1,451'],
  ])('%s minor units of %s are shown as %s', (amount, currency, shown) => {
    expect(formatMoney({ amount, currency }).replaceAll('\u00a0', ' ')).toBe(shown);
  });

  test('an amount is shown exactly', () => {
    expect(formatMoney({ amount: '900719925474099301', currency: 'USD' }).replace(/\D/g, '')).toBe(
      '900719925474099301',
    );
  });
});
