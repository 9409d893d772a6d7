import type { Instant } from '../domain/instant';
import { unreadReason, valueOf, type Imported, type Importing } from './settlement-import';

/**
 * Records the refunds made at a provider since an instant (its time) whose webhooks were lost, where no settlement has
 * to name them. A refund of a payment that is unknown here is left out, and listed again the next day.
 *
 * @returns how many were new or have ended, and why they could not be read
 */
export async function importRefunds(
  { database, clock, reconciler, connection, provider: { adapter, access }, requestId }: Importing,
  since: Instant,
): Promise<Pick<Imported, 'imported' | 'reason'>> {
  const listed = await adapter.listRefunds?.(access, since);
  const importing = { database, clock, adapter, requestId };
  let imported = 0;
  for (const refund of valueOf(listed) ?? []) {
    if ((await reconciler.importRefund(importing, connection, refund)) === 'imported') imported += 1;
  }
  return { imported, reason: listed === undefined ? null : unreadReason(listed) };
}
