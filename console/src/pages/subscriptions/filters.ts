import type { Subscription } from '../../api/resources';
import type { paths } from '../../api/schema';
import { wordOf } from '../../app/search-params';
import { PROVIDERS } from '../../../../src/domain/provider.ts';
import { SUBSCRIPTION_STATUSES } from '../../../../src/domain/subscription-types.ts';

type ListQuery = NonNullable<paths['/api/billing/subscriptions']['get']['parameters']['query']>;

/** Labels of what a subscription may await. */
export const AWAITED: Record<NonNullable<ListQuery['awaiting']>, string> = {
  checkout: 'the payment of its checkout',
  provider: 'an outcome at its provider',
  approval: 'the customer’s approval',
  payment: 'a payment',
  end: 'its end',
  change: 'a change at the renewal',
  trial_end: 'the end of its trial',
  renewal: 'its renewal',
};

/** Outcomes of the preparation of a change for the renewal. */
const PREPARATIONS = ['failed'] as const;

/** Results of the last comparison with the provider. */
const DRIFTS = ['found'] as const;

/** How soon a subscription renews, with its label and days. */
export const RENEWS = {
  day: { words: 'within 24 hours', days: 1 },
  week: { words: 'within 7 days', days: 7 },
  month: { words: 'within 31 days', days: 31 },
} as const;

/** Filters of the list, kept in the address. */
export interface SubscriptionFilters {
  status?: Subscription['status'] | undefined;
  provider?: Subscription['provider'] | undefined;
  externalId?: string | undefined;
  awaiting?: keyof typeof AWAITED | undefined;
  preparation?: (typeof PREPARATIONS)[number] | undefined;
  drift?: (typeof DRIFTS)[number] | undefined;
  renews?: keyof typeof RENEWS | undefined;
}

/** Reads the filters of an address, ignoring invalid ones. */
export function readFilters(search: Record<string, unknown>): SubscriptionFilters {
  const status = SUBSCRIPTION_STATUSES.find((known) => known === search['status']);
  const provider = PROVIDERS.find((known) => known === search['provider']);
  const awaiting = keysOf(AWAITED).find((known) => known === search['awaiting']);
  const renews = keysOf(RENEWS).find((known) => known === search['renews']);
  const preparation = PREPARATIONS.find((known) => known === search['preparation']);
  const drift = DRIFTS.find((known) => known === search['drift']);
  const externalId = wordOf(search, 'externalId');
  return {
    ...(status && { status }),
    ...(provider && { provider }),
    ...(awaiting && { awaiting }),
    ...(preparation && { preparation }),
    ...(drift && { drift }),
    ...(renews && { renews }),
    ...(externalId !== undefined && { externalId }),
  };
}

/** Returns the keys of a record that has no other keys. */
export function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[];
}
