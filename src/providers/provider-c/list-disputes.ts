import type { Instant } from '../../domain/instant';
import type { ListedDispute } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Fetched } from './client';
import { disputeFacts } from './dispute-facts';
import { referencesOf } from './event-references';
import { readPages } from './read-pages';
import { listedDispute } from './schemas';

/** Lists the disputes opened since an instant. A dispute without its payment or amount is left to its webhook. */
export async function listDisputes(
  access: ConnectionAccess,
  since: Instant,
): Promise<Fetched<ListedDispute[]>> {
  const listed = await readPages(access, '/dispute', { from: new Date(since).toISOString() }, listedDispute);
  if (listed.kind !== 'done') return listed;
  const found = listed.value.flatMap((data): ListedDispute[] => {
    const dispute = disputeFacts(data);
    const references = referencesOf('charge.dispute.create', data);
    return dispute === undefined ? [] : [{ dispute, references }];
  });
  return { kind: 'done', value: found.sort((a, b) => (a.dispute.openedAt ?? 0) - (b.dispute.openedAt ?? 0)) };
}
