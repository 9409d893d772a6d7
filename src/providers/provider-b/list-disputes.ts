import { z } from 'zod';
import { type Instant } from '../../domain/instant';
import type { ListedDispute } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { disputeFacts, disputeObject } from './dispute-facts';
import { readOutcome } from './outcomes';
import { identifier, links } from './values';

const PATH = '/v1/customer/disputes';
const PAGE_SIZE = 50;
const MAX_PAGES = 50;

const disputePage = z.object({
  items: z.array(z.object({ dispute_id: identifier })).nullish(),
  links,
});

/**
 * Lists the disputes opened since an instant, earliest first: the latest 2,500 at most, and of the last 180 days only,
 * because B refuses an earlier start. B's list states neither the disputed payment nor the result, so each dispute is
 * read. A dispute without its payment or amount is left to its webhook.
 */
export function listDisputes(
  client: ProviderBClient,
  access: ConnectionAccess,
  since: Instant,
): Promise<Outcome<ListedDispute[]>> {
  return readOutcome(async () => {
    const found: ListedDispute[] = [];
    let query: string | null = new URLSearchParams({
      start_time: new Date(since).toISOString(),
      page_size: PAGE_SIZE.toString(),
    }).toString();
    for (let pages = 0; query !== null && pages < MAX_PAGES; pages += 1) {
      const { items, links: all }: z.infer<typeof disputePage> = await client.get(
        access,
        `${PATH}?${query}`,
        disputePage,
      );
      for (const { dispute_id: id } of items ?? []) {
        const read = disputeObject.safeParse(await client.get(access, pathOf(`${PATH}/`, id), z.unknown()));
        if (read.success) found.push(listed(read.data));
      }
      query = nextQuery(all);
    }
    return found.sort((a, b) => (a.dispute.openedAt ?? 0) - (b.dispute.openedAt ?? 0));
  });
}

/** Fetches a dispute of any age. */
export function fetchDispute(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<ListedDispute>> {
  return readOutcome(async () =>
    listed(await client.get(access, pathOf(`${PATH}/`, reference), disputeObject)),
  );
}

/** A disputed transaction is a capture or a sale, and the dispute does not say which. Another app's may be the first. */
function listed(read: z.infer<typeof disputeObject>): ListedDispute {
  const references = read.disputed_transactions.flatMap((reference) => [
    { kind: 'payment' as const, reference },
    { kind: 'capture' as const, reference },
  ]);
  return { dispute: disputeFacts(read), references };
}

/**
 * Returns the query of the next page; null after the last one. B has no page numbers: only a page's link leads to the
 * next, through a token. The link's host varies and is never followed.
 */
function nextQuery(all: z.infer<typeof links>): string | null {
  const href = all?.find(({ rel }) => rel === 'next')?.href ?? '';
  if (!URL.canParse(href)) return null;
  const { searchParams } = new URL(href);
  return searchParams.has('next_page_token') ? searchParams.toString() : null;
}
