import type Stripe from 'stripe';
import type { Instant } from '../../domain/instant';
import type { ListedDispute } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { clientFor } from './client';
import { factsOfDispute, wholeDisputeWire } from './dispute-facts';
import { referencesOf } from './event-references';
import { readOutcome } from './outcomes';
import { readPages } from './read-pages';

/** Lists the disputes opened since an instant, earliest first. */
export function listDisputes(access: ConnectionAccess, since: Instant): Promise<Outcome<ListedDispute[]>> {
  return readOutcome(() => disputesOf(clientFor(access), { created: { gte: Math.floor(since / 1000) } }));
}

export async function disputesOf(client: Stripe, of: Stripe.DisputeListParams): Promise<ListedDispute[]> {
  const listed = await readPages((paging) => client.disputes.list({ ...of, ...paging }), wholeDisputeWire);
  return listed.reverse().flatMap((wire) => {
    const dispute = factsOfDispute(wire);
    const references = referencesOf({ object: 'dispute', ...wire });
    return dispute === undefined ? [] : [{ dispute, references }];
  });
}
