import { quantityAtProvider } from './provider-quantity';
import type { Pricing } from './subscription-types';
import type { Provider } from './provider';

/** What a provider bills: one plan, once or per seat. */
interface BilledTerms {
  planId: string;
  seats: number;
  pricing: Pricing;
}

interface ConfirmableSubscription extends BilledTerms {
  provider: Provider;
  scheduled: BilledTerms | null;
  /**
   * Whether the provider has the same plan reference for the target of a change and for the plan that it bills from the
   * next renewal on; omitted if unknown.
   */
  isSamePlanAtProvider?: boolean;
}

/**
 * Whether a change needs the customer's confirmation at provider B, which is when B would bill other terms from the
 * next renewal on. The seats of a flat plan are not billed, so they need none.
 */
export function needsConfirmation(subscription: ConfirmableSubscription, to: BilledTerms): boolean {
  if (subscription.provider !== 'provider_b') return false;
  const billed = subscription.scheduled ?? subscription;
  return !(isSameAmount(billed, to) && (billed.planId === to.planId || subscription.isSamePlanAtProvider));
}

/** Whether provider B's customer has confirmed the scheduled change, so that B bills it and it cannot be withdrawn. */
export function isConfirmedByCustomer(subscription: ConfirmableSubscription): boolean {
  const { provider, planId, scheduled } = subscription;
  if (provider !== 'provider_b' || scheduled === null) return false;
  return planId !== scheduled.planId || !isSameAmount(subscription, scheduled);
}

function isSameAmount(one: BilledTerms, other: BilledTerms): boolean {
  return quantityAtProvider(one) === quantityAtProvider(other);
}
