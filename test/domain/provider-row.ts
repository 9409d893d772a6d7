import type { LifecycleView } from '../../src/domain/lifecycle';

export const START = Date.parse('2026-06-01T00:00:00Z');
export const END = Date.parse('2026-07-01T00:00:00Z');

/** An active row that provider A bills by the month, with nothing under way there. */
export const PROVIDER_ROW = {
  provider: 'provider_a',
  status: 'active',
  billingAnchor: START,
  timeZone: 'UTC',
  interval: 'month',
  currentPeriodStart: START,
  currentPeriodEnd: END,
  trialEnd: null,
  paymentDueAt: null,
  pastDueSince: null,
  incompleteUntil: null,
  scheduledInterval: null,
  nextPeriodIsFree: false,
  pastDueAfterDays: 7,
  expireAfterDays: 30,
} as const satisfies LifecycleView;
