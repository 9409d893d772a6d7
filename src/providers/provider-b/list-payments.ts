import type { z } from 'zod';
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/instant';
import type { CollectedPayment } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { ProviderBFailure } from './failure';
import { readOutcome } from './outcomes';
import { transactionFacts } from './payment-facts';
import { readSubscription } from './read-objects';
import { subscriptionTransactions } from './schemas';

/**
 * Lists the payments of a subscription, earliest first, without those whose status is unknown. B lists their refunds
 * only in its report, which settlements are built from, and disputes in a separate list.
 */
export function listPayments(
  client: ProviderBClient,
  access: ConnectionAccess,
  subscription: string,
  since: Instant,
): Promise<Outcome<CollectedPayment[]>> {
  return readOutcome(async () => {
    const { billing_info: billing } = await readSubscription(client, access, subscription);
    // The list requires an end. Until the next payment is due, one that has not cleared may follow the last one.
    const last = billing?.last_payment?.time ?? 0;
    const to = Math.max(last + DAY_MS, billing?.next_billing_time ?? 0);
    if (to < since + DAY_MS) return [];
    const range = { from: since, to };
    const transactions = await readTransactions(client, access, subscription, range);
    return [...transactions.values()]
      .flatMap((transaction) => transactionFacts(transaction, subscription) ?? [])
      .sort((a, b) => (a.occurredAt ?? 0) - (b.occurredAt ?? 0))
      .map((payment) => ({
        payment,
        references: [{ kind: 'subscription', reference: subscription }],
        refunds: [],
        disputes: [],
      }));
  });
}

type Transaction = NonNullable<z.infer<typeof subscriptionTransactions>['transactions']>[number];

/** A range this short is not split any more. */
const SHORTEST_MS = HOUR_MS;

/**
 * Reads the transactions of a range by their ids. B states how many pages there are, but has no parameter for any but
 * the first, so a range with more is split in half. Both halves include the instant between them.
 *
 * @throws ProviderBFailure
 */
async function readTransactions(
  client: ProviderBClient,
  access: ConnectionAccess,
  subscription: string,
  { from, to }: { from: Instant; to: Instant },
): Promise<Map<string, Transaction>> {
  const range = new URLSearchParams({
    start_time: new Date(from).toISOString(),
    end_time: new Date(to).toISOString(),
  });
  const path = `${pathOf('/v1/billing/subscriptions/', subscription)}/transactions?${range.toString()}`;
  const read = await client.get(access, path, subscriptionTransactions);
  if ((read.total_pages ?? 1) <= 1) return new Map((read.transactions ?? []).map((one) => [one.id, one]));
  if (to - from <= SHORTEST_MS) {
    const reason = `Provider B lists the payments of ${subscription} in an hour on several pages.`;
    throw new ProviderBFailure('unreadable', 'too_many_payments', reason);
  }
  const middle = from + Math.floor((to - from) / 2);
  const earlier = await readTransactions(client, access, subscription, { from, to: middle });
  const later = await readTransactions(client, access, subscription, { from: middle, to });
  return new Map([...earlier, ...later]);
}
