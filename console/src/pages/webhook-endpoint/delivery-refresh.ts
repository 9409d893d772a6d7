import type { WebhookDelivery } from '../../api/resources';

const REFRESH_MS = 2_000;
/** A later attempt is seen when the page is opened again, or another attempt ends. */
const SOON_MS = 60_000;

/**
 * Returns how soon deliveries are refreshed, in ms, while an attempt is imminent or in progress; false if not
 * automatically.
 */
export function refreshDeliveries(deliveries: readonly WebhookDelivery[]): number | false {
  const soon = Date.now() + SOON_MS;
  const isSoon = deliveries.some(
    ({ status, nextAttemptAt }) =>
      status === 'pending' && nextAttemptAt !== null && Date.parse(nextAttemptAt) < soon,
  );
  return isSoon && REFRESH_MS;
}
