import { price } from '../../simulators/provider-a/page';

test.each([
  [2_000, 'usd', '20.00 USD'],
  [1_500, 'jpy', '1500 JPY'],
  [12_340, 'kwd', '12.340 KWD'],
  // A counts hundredths that it does not charge.
  [150_000, 'isk', '1500 ISK'],
  [7, 'xxx', '7 (minor units)'],
])('the simulated pages say %d of %s as %s', (amount, currency, words) => {
  expect(price(amount, currency)).toBe(words);
});
