import type { z } from 'zod';
import type { PaymentFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { transactionFacts } from './payment-facts';
import { subscriptionTransactions, type subscriptionObject } from './schemas';

const DAY_MS = 86_400_000;

/**
 * The last payment of a subscription. The subscription tells its time and no name, so that it is looked up around that
 * time; null when there is none, or the list does not have it yet.
 *
 * @throws ProviderBFailure
 */
export async function lastPayment(
  client: ProviderBClient,
  access: ConnectionAccess,
  { id, billing_info: billing }: z.infer<typeof subscriptionObject>,
): Promise<PaymentFacts | null> {
  const paidAt = billing?.last_payment?.time ?? null;
  if (paidAt === null) return null;
  const around = new URLSearchParams({
    start_time: new Date(paidAt - DAY_MS).toISOString(),
    end_time: new Date(paidAt + DAY_MS).toISOString(),
  });
  const path = `${pathOf('/v1/billing/subscriptions/', id)}/transactions?${around.toString()}`;
  const { transactions } = await client.get(access, path, subscriptionTransactions);
  const succeeded = (transactions ?? [])
    .map((transaction) => transactionFacts(transaction, id))
    .filter(({ status }) => status === 'succeeded')
    .sort((a, b) => (b.occurredAt ?? 0) - (a.occurredAt ?? 0));
  return succeeded[0] ?? null;
}
