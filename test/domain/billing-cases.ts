import type { LifecycleView } from '../../src/domain/lifecycle';
import type { ChangeableSubscription } from '../../src/domain/plan-change';
import { openSubscription, type OfferedPlan } from '../../src/domain/subscription';
import type { TaxSnapshot } from '../../src/domain/tax';
import { NO_WORK } from '../../src/domain/provider-work';

export const at = (text: string): number => Date.parse(text);

export const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
] as const;

export const UNTAXED: TaxSnapshot = { behavior: 'none', rates: [] };

/** A subscription as the pure functions see it. */
export type Subscribed = LifecycleView & ChangeableSubscription & { startedAt: number };

/** A plan whose name is its slug, at 30.00 USD a month per seat. */
export function offered(slug: string, changes: Partial<OfferedPlan> = {}): OfferedPlan {
  return {
    id: `plan_${slug}`,
    slug,
    planGroupId: 'pgrp_1',
    price: { amount: 3000n, currency: 'USD' },
    interval: 'month',
    pricing: 'per_seat',
    trialDays: 0,
    archived: false,
    ...changes,
  };
}

/** A newly opened subscription of local billing that owes nothing. */
export function subscribed(
  plan: OfferedPlan,
  opening: { now: number; seats?: number; timeZone?: string; anchor?: number },
  changes: Partial<Subscribed> = {},
): Subscribed {
  const { now, seats = 1, timeZone = 'UTC', anchor } = opening;
  return {
    ...openSubscription({ plan, seats, timeZone, now, ...(anchor === undefined ? {} : { anchor }) }),
    planSlug: plan.slug,
    provider: 'internal',
    cancelAtPeriodEnd: false,
    cancelAt: null,
    providerReference: null,
    work: NO_WORK,
    tax: UNTAXED,
    scheduled: null,
    paymentDueAt: null,
    pastDueSince: null,
    incompleteUntil: null,
    scheduledInterval: null,
    nextPeriodIsFree: plan.price.amount === 0n,
    pastDueAfterDays: 7,
    expireAfterDays: 30,
    ...changes,
  };
}
