import type { BilledFacts } from '../../src/domain/reconciled-view';
import type { PlanAtProvider, PlansAtProvider } from '../../src/domain/terms-at-provider';
import { lifecycleRow } from '../support/lifecycle-row';
import type { SyncMarker } from '../../src/domain/synchronizer-marker';

export const START = Date.parse('2026-06-01T00:00:00Z');
export const END = Date.parse('2026-07-01T00:00:00Z');

/** An active row that provider A bills monthly, with no pending work there. */
export const PROVIDER_ROW = lifecycleRow({ start: START, end: END }, { provider: 'provider_a' });

/** A row on two seats of `pro` that started with its period and has no end. */
export const ON_PRO = {
  id: 'sub_1',
  startedAt: START,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  cancelledAt: null,
  planId: 'plan_pro',
  planSlug: 'pro',
  seats: 2,
  currency: 'USD',
  pricing: 'per_seat',
  scheduled: null,
} as const;

/** One seat of `starter`, billed monthly. */
export const STARTER = {
  planId: 'plan_starter',
  planSlug: 'starter',
  seats: 1,
  unitAmount: 1000n,
  pricing: 'per_seat',
  interval: 'month',
} as const;

/** Returns the facts that a provider reports for a row on two seats of `pro`. */
export function billedFacts(changes: Partial<BilledFacts> = {}): BilledFacts {
  return {
    status: 'active',
    planReference: 'ref_plan_pro',
    quantity: 2,
    currentPeriodStart: START,
    currentPeriodEnd: END,
    cancelAtPeriodEnd: false,
    ...changes,
  };
}

/** Returns the marker of a change to one seat of `starter` that is prepared at the provider. */
export function syncMarker(changes: Partial<SyncMarker> = {}): SyncMarker {
  return {
    state: 'prepared',
    planId: 'plan_starter',
    plan: 'starter',
    seats: 1,
    planReference: 'price_starter',
    boundary: END,
    attempts: 1,
    told: true,
    at: START,
    reason: null,
    retryAt: null,
    ...changes,
  };
}

/** Returns a plan whose name is its slug, billed monthly per seat. */
export function planAtProvider(
  slug: string,
  amount: bigint,
  changes: Partial<PlanAtProvider> = {},
): PlanAtProvider {
  return {
    id: `plan_${slug}`,
    slug,
    planGroupId: 'pgrp_1',
    price: { amount, currency: 'USD' },
    pricing: 'per_seat',
    interval: 'month',
    ...changes,
  };
}

/** Maps each plan to a provider reference of `ref_` and its id. */
export function plansAtProvider(plans: readonly PlanAtProvider[]): PlansAtProvider {
  return {
    referenceOf: (planId) => (plans.some(({ id }) => id === planId) ? `ref_${planId}` : null),
    planOf: (reference) => plans.find(({ id }) => `ref_${id}` === reference) ?? null,
    formerPricesOf: () => [],
  };
}
