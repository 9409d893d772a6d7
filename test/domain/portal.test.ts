import { mayChoosePlan, offersChange, partsOfChange } from '../../src/domain/portal';

const now = { planSlug: 'pro', seats: 2 };
const later = (planSlug: string, seats: number) => ({ planSlug, seats });

/** What a customer's page must offer for a change: what it requests, and what it takes away that is planned. */
test.each([
  ['another plan', { planSlug: 'large' }, null, ['planChange']],
  ['other seats', { seats: 5 }, null, ['seatChange']],
  ['both', { planSlug: 'large', seats: 5 }, null, ['planChange', 'seatChange']],
  ['what it has', { planSlug: 'pro', seats: 2 }, null, []],
  ['the plan that is planned', { planSlug: 'large' }, later('large', 2), ['planChange']],
  ['seats in place of a planned plan', { seats: 5 }, later('large', 2), ['planChange', 'seatChange']],
  [
    'seats with the planned plan',
    { planSlug: 'large', seats: 5 },
    later('large', 2),
    ['planChange', 'seatChange'],
  ],
  ['to withdraw a planned plan', {}, later('large', 2), ['planChange']],
  ['to withdraw planned seats', {}, later('pro', 1), ['seatChange']],
] as const)('a customer who asks for %s', (_, change, planned, parts) => {
  expect(partsOfChange(change, now, planned)).toEqual(parts);
});

test.each([
  [['planChange', 'seatChange'], ['planChange', 'seatChange'], true],
  [['planChange'], ['planChange', 'seatChange'], false],
  [['seatChange'], ['planChange'], false],
  [['planChange'], [], true],
  [['seatChange'], [], true],
  [['usage', 'cancel'], [], false],
] as const)('a page with %j offers a change of %j: %p', (shows, parts, offers) => {
  expect(offersChange(shows, parts)).toBe(offers);
});

test('a customer chooses among the plans that are named, or among all', () => {
  expect(mayChoosePlan('pro', null)).toBe(true);
  expect(mayChoosePlan('pro', ['starter', 'pro'])).toBe(true);
  expect(mayChoosePlan('pro', [])).toBe(false);
});
