import type { WebhookDelivery } from '../../api/resources';

const REFRESH_MS = 2_000;
/** An attempt that comes later is seen when the page is opened again, or another one ends. */
const SOON_MS = 60_000;

/** How soon deliveries are asked for again, in ms: while an attempt comes soon or is under way; false is not by itself. */
export function refreshDeliveries(deliveries: readonly WebhookDelivery[]): number | false {
  const soon = Date.now() + SOON_MS;
  const isSoon = deliveries.some(
    ({ status, nextAttemptAt }) =>
      status === 'pending' && nextAttemptAt !== null && Date.parse(nextAttemptAt) < soon,
  );
  return isSoon && REFRESH_MS;
}
