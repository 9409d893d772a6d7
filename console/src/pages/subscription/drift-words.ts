import type { SubscriptionDrift } from '../../api/resources';
import { formatTime } from '../../ui/time';
import { countInWords } from '../../../../src/domain/count-in-words.ts';

type Difference = SubscriptionDrift['differences'][number];

const FIELDS: Record<Difference['field'], string> = {
  existence: 'Existence',
  status: 'Status',
  plan: 'Plan',
  seats: 'Seats',
  cancelAtPeriodEnd: 'Ends with the period',
  cancelAt: 'Ends on',
  currentPeriodEnd: 'Period ends',
  payment: 'Payment',
  items: 'Items',
  price: 'Price',
  currency: 'Currency',
  interval: 'Interval',
  trialEnd: 'Trial ends',
  discount: 'Discount',
  pausedCollection: 'Collection',
};

/** Returns the label of a compared member. */
export function fieldName(field: Difference['field']): string {
  return FIELDS[field];
}

/** Formats one side of a difference: an instant in the viewer's time zone, a boolean as yes or no. */
export function valueInWords(value: Difference['local']): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString();
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatTime(value, 'minute') : value;
}

/** Returns the result of a comparison in a word or two. */
export function resultInWords({ inSync, differences }: SubscriptionDrift): string {
  if (inSync === true) return '✓ In sync';
  if (inSync === null) return '– Not comparable';
  return `✗ ${countInWords(differences.length, 'difference')}`;
}
