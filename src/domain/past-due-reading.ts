import { DAY_MS, HOUR_MS, type Instant } from './instant';
import type { LifecycleView } from './lifecycle-view';
import type { ProviderWaits, ProviderWork } from './provider-work';

/** For this long after a subscription became past due, its provider is read every hour. */
const HOURLY_MS = 3 * DAY_MS;
const LATER_MS = 6 * HOUR_MS;
/** Minimum time between reads that a customer's returns trigger. */
const RETURNS_APART_MS = 60_000;

type PastDueView = Pick<LifecycleView, 'status' | 'pastDueSince' | 'work'>;

/**
 * Returns when a past-due subscription is next read at its provider, so that a customer who does pay is served again
 * soon, even if no webhook says so. Null if it is not past due, or if the view does not include these reads
 * (`ProviderWaits`).
 */
export function pastDueReadAt({ status, pastDueSince, work }: PastDueView): Instant | null {
  if (status !== 'past_due' || pastDueSince === null || work?.pastDueReadAt === undefined) return null;
  return work.pastDueReadAt ?? pastDueSince + HOUR_MS;
}

/**
 * Returns the time of the next read after one. It is counted from now, so that a clock that has jumped causes one read
 * and not all those it skipped; or from when it is past due, if it is paid until then.
 */
export function nextPastDueRead(pastDueSince: Instant, now: Instant): Instant {
  const from = Math.max(now, pastDueSince);
  return from + (from < pastDueSince + HOURLY_MS ? HOUR_MS : LATER_MS);
}

/**
 * Returns what is in progress at the provider after a customer returns from paying: the provider is read immediately,
 * but at most once a minute, however often the customer returns. Null if that changes nothing.
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

/** Returns the view without past-due reads, so that they are not waited for. */
export function withoutPastDueReading<Waits extends ProviderWaits>(work: Waits): Waits {
  const waits = { ...work };
  delete waits.pastDueReadAt;
  return waits;
}

/** Clears past-due reads once it is no longer past due, because they do not count for a later past-due time. */
export function withoutPastDueReads<V extends PastDueView & { work: ProviderWork }>(view: V): V {
  if (view.status === 'past_due') return view;
  return { ...view, work: { ...view.work, pastDueReadAt: null, returnedAt: null } };
}
