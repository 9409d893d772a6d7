import { moneyInLocale } from '../../src/domain/money-in-locale';

test.each([
  ['1451', 'USD', '$14.51'],
  ['-1451', 'USD', '-$14.51'],
  ['1451', 'JPY', '¥1,451'],
  ['1451', 'KWD', 'KWD 1.451'],
  // Browsers omit these digits.
  ['1451', 'HUF', 'HUF 14.51'],
  ['1451', 'IDR', 'IDR 14.51'],
  ['1451', 'IQD', 'IQD 1.451'],
])('%s minor units of %s are shown as %s', (amount, currency, shown) => {
  expect(moneyInLocale('en-US', { amount, currency }).replaceAll('\u00a0', ' ')).toBe(shown);
});
