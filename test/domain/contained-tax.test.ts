import { taxIn } from '../../src/domain/contained-tax';

const money = (amount: string) => ({ amount });

test.each([
  ['none', ['1000'], '0', '1000'],
  ['added', ['1000'], '190', '1190'],
  ['contained', ['1000'], '160', '1000'],
  // A change: the charge and the credit.
  ['added', ['500000000000000001', '-200000000000000000'], '57000000000000000', '357000000000000001'],
  ['contained', ['500000000000000001', '-200000000000000000'], '47899159663865546', '300000000000000001'],
])('tax is %s', (how, amounts, tax, total) => {
  expect(taxIn(amounts.map(money), money(tax), money(total))).toBe(how);
});
