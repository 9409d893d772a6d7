import { APPROVAL_DAYS } from '../domain/provider-work';
import type { Settings } from './settings-store';

/**
 * What a new organization's sandbox and production start with: a workspace that works before anybody has set it
 * up. A payment may be a week late before its subscription is past due, access goes on for a further week, and
 * after a month the subscription expires.
 */
export const DEFAULT_SETTINGS: Settings = {
  defaultCurrency: 'USD',
  timeZone: 'UTC',
  taxBehavior: 'none',
  taxRates: [],
  invoiceProfile: {},
  defaultProvider: 'internal',
  pastDueAfterDays: 7,
  graceDays: 7,
  expireAfterDays: 30,
  approvalDays: APPROVAL_DAYS,
};
