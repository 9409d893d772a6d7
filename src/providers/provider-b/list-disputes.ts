import { z } from 'zod';
import { type Instant } from '../../domain/instant';
import type { ListedDispute } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { disputeFacts, disputeObject } from './dispute-facts';
import { readOutcome } from './outcomes';
import { identifier, instant } from './values';

const PAGE_SIZE = 50;

const MOST_PAGES = 50;

const disputePage = z.object({
  items: z.array(z.object({ dispute_id: identifier, create_time: instant })).nullish(),
});

/** The list says neither what is disputed nor how it ended: each dispute is read. */
export function listDisputes(
  client: ProviderBClient,
  access: ConnectionAccess,
  since: Instant,
): Promise<Outcome<ListedDispute[]>> {
  return readOutcome(async () => {
    const found: ListedDispute[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query = new URLSearchParams({
        start_time: new Date(since).toISOString(),
        page_size: PAGE_SIZE.toString(),
        page: page.toString(),
      });
      const { items } = await client.get(access, `/v1/customer/disputes?${query.toString()}`, disputePage);
      for (const { dispute_id: id, create_time: openedAt } of items ?? []) {
        const read = await client.get(access, pathOf('/v1/customer/disputes/', id), disputeObject);
        const { seller_transaction_id: reference } = read.disputed_transactions[0];
        // A disputed transaction is a capture or a sale, and the dispute does not say which.
        const references = [
          { kind: 'payment' as const, reference },
          { kind: 'capture' as const, reference },
        ];
        found.push({ dispute: disputeFacts(read), openedAt, references });
      }
      if ((items ?? []).length < PAGE_SIZE) break;
    }
    return found.sort((a, b) => (a.openedAt ?? 0) - (b.openedAt ?? 0));
  });
}
