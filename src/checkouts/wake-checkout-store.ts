import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { ConnectionRef } from '../connections/connection-ref';
import { enqueueCheckoutSignal } from '../outbox/enqueue-checkout-signal';

/**
 * Has the workflows of checkouts at a provider read the provider back at once: a webhook is about them, or about their
 * customer. One that has ended is read too, because what was paid of it late is to be told, once.
 *
 * @param about the checkout, or the one of a subscription, or the customer whose open ones are meant
 * @param now the workspace's time
 */
export async function wakeCheckouts(
  trx: DbTransaction,
  { scope, id: connectionId }: ConnectionRef,
  about: { checkoutId: string } | { subscriptionId: string } | { customerId: string },
  now: Instant,
): Promise<void> {
  const waking = trx('tollgate.checkouts')
    .where({ ...tenantColumns(scope), connection_id: connectionId })
    .whereNotNull('reference')
    .whereNull('completed_at');
  if ('checkoutId' in about) void waking.where({ id: about.checkoutId });
  else if ('subscriptionId' in about) void waking.where({ subscription_id: about.subscriptionId });
  else void waking.where({ customer_id: about.customerId, status: 'open' });
  const woken = await waking.update({ next_wake_at: new Date(now) }).returning<{ id: string }[]>('id');
  for (const { id } of woken) await enqueueCheckoutSignal(trx, scope, id);
}
