import { DAY_MS, type Instant } from '../../domain/instant';
import type { CollectedPayment } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
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
    // The list requires an end, and nothing was paid after the last payment.
    const last = billing?.last_payment?.time ?? null;
    if (last === null || last < since) return [];
    const range = new URLSearchParams({
      start_time: new Date(since).toISOString(),
      end_time: new Date(last + DAY_MS).toISOString(),
    });
    const path = `${pathOf('/v1/billing/subscriptions/', subscription)}/transactions?${range.toString()}`;
    const { transactions } = await client.get(access, path, subscriptionTransactions);
    return (transactions ?? [])
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
