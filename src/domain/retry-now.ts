import type { Instant } from './instant';
import { pastDueReadAt } from './past-due-reading';
import type { LifecycleView } from './lifecycle-view';
import type { ProviderWork } from './provider-work';

/** A call that was sent less than this ago may still be in flight. */
const CALL_UNDER_WAY_MS = 60_000;

/** Returns when a call that was just sent can be retried; null if there is none. */
export function callUnderWayUntil({ unsettled }: ProviderWork, now: Instant): Instant | null {
  const until = unsettled === null ? now : unsettled.since + CALL_UNDER_WAY_MS;
  return until > now ? until : null;
}

/**
 * Returns the work at a payment provider with every scheduled retry and read brought forward to `now`. Null if nothing
 * is scheduled later; what is already due is not retried again.
 */
export function retryNow(
  view: Pick<LifecycleView, 'status' | 'pastDueSince'> & { work: ProviderWork },
  now: Instant,
): ProviderWork | null {
  const { unsettled, request, sync, lookAgainAt } = view.work;
  const isLater = (at: Instant | null): boolean => at !== null && at > now;
  const mayBeRetried = callUnderWayUntil(view.work, now) === null;
  const changes: Partial<ProviderWork> = {
    ...(unsettled !== null &&
      isLater(unsettled.retryAt) &&
      mayBeRetried && { unsettled: { ...unsettled, retryAt: now } }),
    ...(request !== null && isLater(request.lookAt) && { request: { ...request, lookAt: now } }),
    ...(sync !== null &&
      sync.state !== 'prepared' &&
      isLater(sync.retryAt) && { sync: { ...sync, retryAt: now } }),
    ...(isLater(lookAgainAt) && { lookAgainAt: now }),
    ...(isLater(pastDueReadAt(view)) && { pastDueReadAt: now }),
  };
  return Object.keys(changes).length === 0 ? null : { ...view.work, ...changes };
}
