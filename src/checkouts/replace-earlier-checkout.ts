import { lockCustomerForCheckout } from '../customers/customer-lock-store';
import type { CustomerRow } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import type { OfferedPlan } from '../domain/subscription';
import { SOURCES } from '../subscriptions/record-command-effect';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import { alreadyOpen } from '../subscriptions/already-open';
import { findIncompleteSubscriptions, findOpenSubscription } from '../subscriptions/open-subscription-store';
import type { Actor } from '../tenancy/actor';
import { expireCheckout } from '../subscriptions/expire-checkout';

/**
 * Expires the customer's earlier unpaid checkout of the same plan group in the open transaction.
 *
 * @throws TollgateError subscription_exists
 */
export async function replaceEarlierCheckout(
  trx: DbTransaction,
  actor: Actor,
  { customer, plan, checkoutId }: { customer: CustomerRow; plan: OfferedPlan; checkoutId: string },
): Promise<void> {
  const { scope, now } = actor;
  await lockCustomerForCheckout(trx, scope, customer.id);
  await expireEarlier(trx, actor, { customerId: customer.id, planGroupId: plan.planGroupId, checkoutId });
  // Checked last: the earlier checkout may have been paid while this transaction waited for its row.
  if ((await findOpenSubscription(trx, scope, customer.id, plan.planGroupId)) !== undefined) {
    throw await alreadyOpen(trx, scope, customer, plan, now);
  }
}

/** Expires earlier unpaid checkouts, because only the newest of a plan group may start a subscription. */
async function expireEarlier(
  trx: DbTransaction,
  actor: Actor,
  offer: { customerId: string; planGroupId: string; checkoutId: string },
): Promise<void> {
  const { scope, now, receivedAt, reason } = actor;
  for (const id of await findIncompleteSubscriptions(trx, scope, offer.customerId, offer.planGroupId)) {
    const earlier = await findBilledSubscription(trx, scope, id, 'lock');
    if (earlier?.status !== 'incomplete') continue;
    await expireCheckout(trx, scope, earlier, {
      why: 'replaced',
      at: now,
      recordedAt: receivedAt,
      source: SOURCES[reason],
      replacedBy: offer.checkoutId,
    });
  }
}
