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
  const work = { ...view.work };
  if (unsettled !== null && unsettled.retryAt > now && callUnderWayUntil(work, now) === null)
    work.unsettled = { ...unsettled, retryAt: now };
  if (request !== null && request.lookAt > now) work.request = { ...request, lookAt: now };
  if (sync !== null && sync.state !== 'prepared' && sync.retryAt !== null && sync.retryAt > now)
    work.sync = { ...sync, retryAt: now };
  if (lookAgainAt !== null && lookAgainAt > now) work.lookAgainAt = now;
  const read = pastDueReadAt(view);
  if (read !== null && read > now) work.pastDueReadAt = now;
  const isSame =
    work.unsettled === unsettled &&
    work.request === request &&
    work.sync === sync &&
    work.lookAgainAt === lookAgainAt &&
    work.pastDueReadAt === view.work.pastDueReadAt;
  return isSame ? null : work;
}
