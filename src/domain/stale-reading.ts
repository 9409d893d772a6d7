import { MINUTE_MS, type Instant } from './instant';
import { hasEnded, type SubscriptionStatus } from './subscription-types';

/** How long after an event a reading may still show the state before it. */
const MAX_READ_LAG_MS = 10 * MINUTE_MS;

/**
 * Whether a reading does not show yet what a recent event reports, that the subscription has ended or is past due:
 * provider B may answer with an earlier state for some minutes, and sends no other event.
 *
 * @param shown the status that was read after the event had arrived
 * @param event the status that the event reports, undefined if it names none, and when it occurred, null if not stated
 */
export function isReadingStale(
  shown: SubscriptionStatus,
  event: { reported: SubscriptionStatus | undefined; occurredAt: Instant | null },
  now: Instant,
): boolean {
  const { reported, occurredAt } = event;
  if (reported === undefined || occurredAt === null || occurredAt < now - MAX_READ_LAG_MS) return false;
  return (hasEnded(reported) || reported === 'past_due') && (shown === 'active' || shown === 'trialing');
}
