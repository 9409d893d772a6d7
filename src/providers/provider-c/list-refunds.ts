import type { Instant } from '../../domain/instant';
import type { RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Fetched } from './client';
import { MAX_PAGES_OF_MONEY, readPages } from './read-pages';
import { refundFacts } from './refund-facts';
import { listedRefund, refund } from './schemas';

/** Lists the refunds made since an instant, earliest first. One that cannot be read is left to its webhook. */
export async function listRefunds(access: ConnectionAccess, since: Instant): Promise<Fetched<RefundFacts[]>> {
  const filter = { from: new Date(since).toISOString() };
  const listed = await readPages(access, '/refund', filter, listedRefund, MAX_PAGES_OF_MONEY);
  if (listed.kind !== 'done') return listed;
  return { kind: 'done', value: listed.value.sort((a, b) => a.id - b.id).flatMap(factsOf) };
}

/** The list has the payment, or only its number. */
function factsOf(listed: unknown): RefundFacts[] {
  const { success, data } = refund.safeParse(listed);
  if (!success) return [];
  const of =
    typeof data.transaction === 'number'
      ? ({ kind: 'charge', reference: String(data.transaction) } as const)
      : ({ kind: 'payment', reference: data.transaction.reference } as const);
  const facts = refundFacts(data, of.reference, null);
  return facts.kind === 'done' ? [{ ...facts.value, of }] : [];
}
