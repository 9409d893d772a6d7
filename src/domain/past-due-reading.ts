import { DAY_MS, type Instant } from './instant';
import type { LifecycleView } from './lifecycle-view';
import type { ProviderWaits, ProviderWork } from './provider-work';

const HOUR_MS = 3_600_000;
/** For so long after it became past due, its provider is read every hour. */
const HOURLY_MS = 3 * DAY_MS;
const LATER_MS = 6 * HOUR_MS;
/** A customer who returns again within this time does not have the provider read again before it is over. */
const RETURNS_APART_MS = 60_000;

type PastDueView = Pick<LifecycleView, 'status' | 'pastDueSince' | 'work'>;

/**
 * When a past-due subscription is read at its provider next: whose customer pays after all is served again soon, also
 * where no webhook says so. Null where it is not past due, and where the view does not know (`ProviderWaits`).
 */
export function pastDueReadAt({ status, pastDueSince, work }: PastDueView): Instant | null {
  if (status !== 'past_due' || pastDueSince === null || work?.pastDueReadAt === undefined) return null;
  return work.pastDueReadAt ?? pastDueSince + HOUR_MS;
}

/** After a reading: counted from now, so that a clock that has jumped brings one reading and not all it has passed. */
export function nextPastDueRead(pastDueSince: Instant, now: Instant): Instant {
  return now + (now < pastDueSince + HOURLY_MS ? HOUR_MS : LATER_MS);
}

/**
 * What is under way at the provider after a customer has returned from paying: it is read at once, but not more than
 * once a minute, however often the customer returns. Null where that changes nothing.
 */
export function withCustomerReturned(
  view: PastDueView & { work: ProviderWork },
  now: Instant,
): ProviderWork | null {
  const planned = pastDueReadAt(view);
  if (planned === null) return null;
  const { work } = view;
  const at = work.returnedAt === null ? now : Math.max(now, work.returnedAt + RETURNS_APART_MS);
  return planned <= at ? null : { ...work, pastDueReadAt: at, returnedAt: at };
}

/** As a view has it that knows no such readings: they are not waited for. */
export function withoutPastDueReading<Waits extends ProviderWaits>(work: Waits): Waits {
  const waits = { ...work };
  delete waits.pastDueReadAt;
  return waits;
}

/** Nothing of an earlier past-due time counts for a later one. */
export function withoutPastDueReads<V extends PastDueView & { work: ProviderWork }>(view: V): V {
  const { pastDueReadAt: at, returnedAt } = view.work;
  if (view.status === 'past_due' || (at === null && returnedAt === null)) return view;
  return { ...view, work: { ...view.work, pastDueReadAt: null, returnedAt: null } };
}
