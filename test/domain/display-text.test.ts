import { displayDay, displayMoney, displayPlan, displayPeriod } from '../../src/domain/display-text';
import { at } from './billing-cases';

describe('plain words', () => {
  it.each([
    [1451n, 'USD', '14.51 USD'],
    [1451n, 'JPY', '1451 JPY'],
    [1451n, 'KWD', '1.451 KWD'],
    [5n, 'USD', '0.05 USD'],
    [0n, 'KWD', '0.000 KWD'],
    [-5n, 'USD', '-0.05 USD'],
    [-1451n, 'JPY', '-1451 JPY'],
  ])('%s minor units of %s are %s', (amount, currency, words) => {
    expect(displayMoney({ amount, currency })).toBe(words);
  });

  it('name the day of the zone', () => {
    const instant = at('2027-01-01T00:30:00Z');
    expect(displayDay('UTC', instant)).toBe('1 Jan 2027');
    expect(displayDay('America/New_York', instant)).toBe('31 Dec 2026');
    expect(displayPeriod('UTC', instant, at('2027-02-28T00:30:00Z'))).toBe('1 Jan 2027 – 28 Feb 2027');
  });

  it('name a plan with its seats', () => {
    expect(displayPlan({ planSlug: 'pro', seats: 5 })).toBe('pro × 5');
    expect(displayPlan({ planSlug: 'pro', seats: 1 })).toBe('pro');
  });
});
