import type { CustomerRow } from '../customers/customer-store';
import type { Transaction } from '../db/pools';
import type { OfferedPlan } from '../domain/subscription';
import { SOURCES } from '../subscriptions/commands/record-act';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import { alreadyOpen } from '../subscriptions/open-on-plan';
import { findOpenSubscription } from '../subscriptions/open-subscription-store';
import type { Actor } from '../tenancy/scope';
import { findIncompleteSubscriptions, lockCustomerForCheckout } from './earlier-checkout-store';
import { expireCheckout } from '../subscriptions/expire-checkout';

/**
 * Gives an earlier unpaid checkout of the customer in the plan group up, in the open transaction.
 *
 * @throws TollgateError subscription_exists
 */
export async function makeRoom(
  trx: Transaction,
  actor: Actor,
  { customer, plan, checkoutId }: { customer: CustomerRow; plan: OfferedPlan; checkoutId: string },
): Promise<void> {
  const { scope } = actor;
  await lockCustomerForCheckout(trx, scope, customer.id);
  await replaceEarlier(trx, actor, { customerId: customer.id, planGroupId: plan.planGroupId, checkoutId });
  // After the earlier one, which may have been paid while its row was waited for.
  if ((await findOpenSubscription(trx, scope, customer.id, plan.planGroupId)) !== undefined) {
    throw await alreadyOpen(trx, scope, customer, plan);
  }
}

/** Of two unpaid checkouts only one may lead to a subscription: the newer, because it is what was offered last. */
async function replaceEarlier(
  trx: Transaction,
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
