import type { SubscriptionView } from '../../workflows/activity-types';
import { describe as sentence } from '../../workflows/details';
import { monthlyView } from './fake-billing';

const END = Date.UTC(2026, 11, 31, 23);

test.each<[Partial<SubscriptionView>, string]>([
  [{}, 'Active on pro × 5, renews 31 Dec 2026'],
  [{ seats: 1 }, 'Active on pro, renews 31 Dec 2026'],
  [{ timeZone: 'Europe/Berlin' }, 'Active on pro × 5, renews 1 Jan 2027'],
  [{ status: 'trialing' }, 'In trial on pro × 5, first paid period from 31 Dec 2026'],
  [{ status: 'past_due' }, 'Past due on pro × 5, period ends 31 Dec 2026'],
])('%j reads "%s"', (row, expected) => {
  expect(sentence(monthlyView(END, END, row), END)).toBe(expected);
});
