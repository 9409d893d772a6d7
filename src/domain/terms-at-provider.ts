import type { PlanAndSeats, ScheduledTerms } from './change-types';
import { HOUR_MS, MINUTE_MS, type Instant } from './instant';
import { mayBePrepared } from './provider-calls';
import { quantityAtProvider } from './provider-quantity';
import type { ProviderWork } from './provider-work';
import type { BillingInterval, Pricing } from './subscription-types';
import type { Provider } from './provider';

/** A plan of ours that has a reference at a provider. Price in minor units. */
export interface PlanAtProvider {
  id: string;
  slug: string;
  planGroupId: string;
  price: { amount: bigint; currency: string };
  pricing: Pricing;
  interval: BillingInterval;
}

/** The plans of a workspace by their references at one connection's provider. */
export interface PlansAtProvider {
  /** Null if the plan has no reference there. */
  referenceOf(planId: string): string | null;
  /** Null if no plan has the reference now. */
  planOf(reference: string): PlanAtProvider | null;
  /** A plan's former references and prices. */
  formerPricesOf(planId: string): readonly Pick<FormerPlanPrice, 'reference' | 'amount'>[];
}

/** A reference that a plan had at a connection while it cost `amount` (minor units), before either was changed. */
export interface FormerPlanPrice {
  planId: string;
  reference: string;
  amount: bigint;
}

export const NO_PLANS: PlansAtProvider = {
  referenceOf: () => null,
  planOf: () => null,
  formerPricesOf: () => [],
};

/** Whether a provider's reference is the plan's: its current one, or a former one that no other plan has now. */
export function isNameOf(plans: PlansAtProvider, planId: string, reference: string | null): boolean {
  if (reference === null) return false;
  if (reference === plans.referenceOf(planId)) return true;
  return plans.planOf(reference) === null && wasNameOf(plans, planId, reference);
}

function wasNameOf(plans: PlansAtProvider, planId: string, reference: string): boolean {
  return plans.formerPricesOf(planId).some((former) => former.reference === reference);
}

export interface TermsView extends PlanAndSeats {
  provider: Provider;
  pricing: Pricing;
  scheduled: ScheduledTerms | null;
  work: ProviderWork;
}

/**
 * `billed`: the current terms; `prepared`: sent to provider A for the renewal; `confirmed`: approved by provider B's
 * customer for the renewal; `asked`: waiting for the customer's approval.
 */
export interface TermsAtProvider extends PlanAndSeats {
  planReference: string | null;
  /** The quantity of the plan's price that the provider is to bill. */
  quantity: number;
  why: 'billed' | 'prepared' | 'confirmed' | 'asked';
}

/**
 * Returns the plan and seats that a provider may show while nothing is wrong: first the terms that it should show, then
 * terms that may already have reached it and are read back automatically.
 */
export function termsAtProvider(
  view: TermsView,
  { referenceOf }: Pick<PlansAtProvider, 'referenceOf'>,
): [TermsAtProvider, ...TermsAtProvider[]] {
  const { planId, planSlug, seats, provider, scheduled } = view;
  const { sync, request } = view.work;
  const planReference = referenceOf(planId);
  const billed = {
    planId,
    planSlug,
    seats,
    planReference,
    quantity: quantityAtProvider(view),
    why: 'billed',
  } as const;
  if (sync !== null && mayBePrepared(view)) {
    const { pricing } = scheduled?.planId === sync.planId ? scheduled : view;
    const prepared = {
      planId: sync.planId,
      planSlug: sync.plan,
      seats: sync.seats,
      planReference: sync.planReference,
      quantity: quantityAtProvider({ pricing, seats: sync.seats }),
      why: 'prepared',
    } as const;
    return sync.state === 'prepared' ? [prepared] : [billed, prepared];
  }
  if (provider !== 'provider_b') return [billed];
  const first = scheduled === null ? billed : confirmed(scheduled, referenceOf(scheduled.planId));
  return request === null
    ? [first]
    : [first, { ...request, quantity: quantityAtProvider(request), why: 'asked' }];
}

function confirmed(terms: ScheduledTerms, planReference: string | null): TermsAtProvider {
  const { planId, planSlug, seats } = terms;
  return { planId, planSlug, seats, planReference, quantity: quantityAtProvider(terms), why: 'confirmed' };
}

/**
 * Returns the seats that a provider shows; null if it does not report them. Provider B omits a single seat, and
 * provider C has no seats: it bills an amount.
 */
export function seatsAtProvider(provider: Provider, quantity: number | null): number | null {
  if (provider === 'provider_c') return null;
  return provider === 'provider_b' ? (quantity ?? 1) : quantity;
}

/** A provider turns a period, and the turn is reported or read back, within this time around its end. */
const BEFORE_MS = 5 * MINUTE_MS;
const AFTER_MS = HOUR_MS;

/** Whether a period is about to end, or has just ended and is being read back. */
export function isTurning(currentPeriodEnd: Instant, now: Instant): boolean {
  return now >= currentPeriodEnd - BEFORE_MS && now < currentPeriodEnd + AFTER_MS;
}
