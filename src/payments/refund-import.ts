import type { Instant } from '../domain/instant';
import { importContextOf, unreadReason, valueOf, type Imported, type Importing } from './settlement-import';

/**
 * Records the refunds made at a provider since an instant (its time) whose webhooks were lost, where no settlement has
 * to name them. A refund of a payment that is unknown here is left out, and listed again the next day.
 *
 * @returns how many were new or have ended, and why they could not be read
 */
export async function importRefunds(
  importing: Importing,
  since: Instant,
): Promise<Pick<Imported, 'imported' | 'reason'>> {
  const { reconciler, connection, provider } = importing;
  const listed = await provider.adapter.listRefunds?.(provider.access, since);
  const context = importContextOf(importing);
  let imported = 0;
  for (const refund of valueOf(listed) ?? []) {
    if ((await reconciler.importRefund(context, connection, refund)) === 'imported') imported += 1;
  }
  return { imported, reason: unreadReason(listed) };
}
