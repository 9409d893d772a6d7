import type { ConnectionAccess } from '../connection-access';
import { readOutcome, type Fetched } from './client';
import { planCodeOf } from './payment-origin';
import { instantOf } from './values';
import { readPages } from './read-pages';
import { listedSubscription, planAnswer, type ListedSubscription, type PurchaseData } from './schemas';

/** The provider creates the subscription when it takes the money, and may record either one first. */
const EARLIEST_BEFORE_PAID_MS = 30_000;
/** A subscription created later belongs to another payment. */
const LATEST_AFTER_PAID_MS = 600_000;

/**
 * Finds the subscription that a paid transaction began. The transaction does not name it, so it is the one of this
 * customer and plan that was created with the payment, on the same card. Null if there is none (yet), if several match,
 * or if the transaction has no plan: the subscription is never guessed.
 */
export async function findSubscription(
  access: ConnectionAccess,
  purchase: PurchaseData,
): Promise<Fetched<string | null>> {
  const planCode = planCodeOf(purchase);
  const paidAt = instantOf(purchase.paid_at);
  if (planCode === null || paidAt === null) return { kind: 'done', value: null };
  const planId = await planIdOf(access, purchase, planCode);
  if (planId.kind !== 'done') return planId;
  const filter = { customer: String(purchase.customer.id), plan: String(planId.value) };
  const listed = await readPages(access, '/subscription', filter, listedSubscription);
  if (listed.kind !== 'done') return listed;
  const [found, ...more] = listed.value.filter(
    (each) =>
      // The provider may not honor the list's filter.
      each.plan.plan_code === planCode &&
      each.customer.customer_code === purchase.customer.customer_code &&
      isMadeWith(each, paidAt) &&
      isOnSameCard(each, purchase),
  );
  return { kind: 'done', value: found === undefined || more.length > 0 ? null : found.subscription_code };
}

/** Returns the plan's number, which filters the list and which the transaction may omit. */
async function planIdOf(
  access: ConnectionAccess,
  { plan_object: object }: PurchaseData,
  code: string,
): Promise<Fetched<number>> {
  if (typeof object?.id === 'number') return { kind: 'done', value: object.id };
  const answer = await readOutcome(access, `/plan/${encodeURIComponent(code)}`, planAnswer);
  if (answer.kind !== 'done') return answer;
  const { id } = answer.value.data;
  if (id !== undefined) return { kind: 'done', value: id };
  return { kind: 'unknown', reason: `Provider C does not report the number of the plan ${code}.` };
}

function isMadeWith({ createdAt }: ListedSubscription, paidAt: number): boolean {
  const madeAt = instantOf(createdAt);
  if (madeAt === null) return false;
  return madeAt >= paidAt - EARLIEST_BEFORE_PAID_MS && madeAt <= paidAt + LATEST_AFTER_PAID_MS;
}

/** A subscription or payment that does not name its card is not excluded. */
function isOnSameCard(subscription: ListedSubscription, purchase: PurchaseData): boolean {
  const [theirs, ours] = [
    subscription.authorization?.authorization_code,
    purchase.authorization?.authorization_code,
  ];
  return (theirs ?? null) === null || (ours ?? null) === null || theirs === ours;
}
