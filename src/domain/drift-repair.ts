import { withAnchorOfInterval, withAnchorOfReportedEnd } from './billing-anchor';
import { hasEnded, MAX_SEATS } from './subscription-types';
import { driftOf, type Difference, type DriftField, type DriftView } from './drift';
import { TollgateError } from './errors';
import type { Instant } from './instant';
import { withEnd } from './pending-cancellation';
import { reconcileFacts } from './provider-reconciliation';
import type { BilledFacts, ReconciledView } from './reconciled-view';
import { withoutUpcomingChanges } from './upcoming-changes';
import { isNameOf, seatsAtProvider, type PlanAtProvider, type PlansAtProvider } from './terms-at-provider';

/** The side whose state is kept where a subscription and its provider differ. */
export const REPAIR_TAKES = ['provider', 'local'] as const;
export type RepairTake = (typeof REPAIR_TAKES)[number];

export interface RepairView extends ReconciledView, Omit<DriftView, 'work' | 'scheduled'> {
  planGroupId: string;
  currency: string;
}

/**
 * Repairs the subscription from its provider's state: applies what a webhook would have brought, and then the plan and
 * seats that the provider bills. Those apply from now, at the plan's current price. A scheduled or requested change is
 * dropped, because it was meant for other terms. A subscription that has ended here stays ended.
 */
export function repairedByProvider<V extends RepairView>(
  before: V,
  facts: BilledFacts,
  plans: PlansAtProvider,
  now: Instant,
): V {
  const { view: reconciled } = reconcileFacts(before, facts, { now, failedAt: null });
  const view = withPeriod(reconciled, facts);
  const { differences } = driftOf(view, { kind: 'read', facts }, plans, now);
  if (!differences.some(({ field }) => field === 'plan' || field === 'seats')) return view;
  const shown = facts.planReference === null ? null : plans.planOf(facts.planReference);
  if (shown !== null && !fits(view, shown)) return view;
  const isOwn = isNameOf(plans, view.planId, facts.planReference);
  const plan = isOwn ? null : shown;
  // With a flat plan, the provider does not determine the seats.
  const counted = (plan ?? view).pricing === 'flat' ? null : seatsAtProvider(view.provider, facts.quantity);
  const seats = counted ?? view.seats;
  // Provider A accepts a quantity of 0.
  if (seats < 1 || seats > MAX_SEATS) return view;
  return withoutUpcomingChanges(withAnchorOfInterval({ ...view, ...(plan && priced(plan)), seats }, view));
}

/**
 * A later period end would otherwise be taken for the renewal, and a scheduled change that waits for the renewal would
 * hold it back.
 */
function withPeriod<V extends RepairView>(view: V, { status, currentPeriodEnd: end }: BilledFacts): V {
  const over = hasEnded(view.status) || hasEnded(status);
  if (over || end === null || end <= view.currentPeriodStart || end === view.currentPeriodEnd) return view;
  return withAnchorOfReportedEnd(withEnd({ ...view, currentPeriodEnd: end }), view);
}

function fits({ planGroupId, currency }: RepairView, { planGroupId: group, price }: PlanAtProvider): boolean {
  return group === planGroupId && price.currency === currency;
}

function priced({ id, slug, price, pricing, interval }: PlanAtProvider) {
  const { amount } = price;
  return { planId: id, planSlug: slug, unitAmount: amount, planUnitAmount: amount, pricing, interval };
}

/**
 * Refuses to repair from the provider's state if that cannot be stored here.
 *
 * @throws TollgateError plan_not_mapped, plan_group_differs, plan_currency_differs, validation_failed (`/take`)
 */
export function requireMappable(
  local: RepairView,
  facts: BilledFacts,
  plans: PlansAtProvider,
  now: Instant,
): void {
  const reading = { kind: 'read', facts } as const;
  const { differences, unverifiable } = driftOf(local, reading, plans, now);
  const unknown = unverifiable.find(({ code }) => code === 'plan_unknown');
  if (unknown !== undefined) throw new TollgateError('plan_not_mapped', unknown.reason);
  if (differences.some(({ field }) => field === 'plan')) requireFitting(local, facts, plans);
  const after = driftOf(repairedByProvider(local, facts, plans, now), reading, plans, now);
  const [left] = after.differences;
  if (left === undefined) return;
  const message = `${left.words} It cannot be repaired from the provider’s state.`;
  throw new TollgateError('validation_failed', message, {
    errors: [{ pointer: '/take', message, fix: 'Send "local" to write the local state to the provider.' }],
  });
}

function requireFitting(local: RepairView, { planReference }: BilledFacts, plans: PlansAtProvider): void {
  const plan = planReference === null ? null : plans.planOf(planReference);
  if (plan === null) return;
  const what = `The payment provider bills the plan "${plan.slug}"`;
  if (plan.planGroupId !== local.planGroupId) {
    throw new TollgateError(
      'plan_group_differs',
      `${what}, which is not in the plan group of "${local.planSlug}".`,
    );
  }
  if (plan.price.currency !== local.currency) {
    throw new TollgateError(
      'plan_currency_differs',
      `${what} in ${plan.price.currency}, the subscription here is in ${local.currency}.`,
    );
  }
}

/** Fields that are not stored here: what the subscription is billed by, and what was paid. */
const FIELDS_NOT_STORED: ReadonlySet<DriftField> = new Set([
  'items',
  'price',
  'currency',
  'interval',
  'trialEnd',
  'discount',
  'pausedCollection',
  'payment',
]);

/**
 * Refuses to repair from the provider's state if none of the differences can be stored here.
 *
 * @throws TollgateError validation_failed (`/take`)
 */
export function requireWritable(differences: readonly Difference[]): void {
  const [first] = differences;
  if (first === undefined || differences.some(({ field }) => !FIELDS_NOT_STORED.has(field))) return;
  const fix =
    first.field === 'payment'
      ? 'Check at the payment provider what it charged for the period.'
      : 'Change it at the payment provider.';
  throw new TollgateError(
    'validation_failed',
    `${first.words} It cannot be repaired from the provider’s state.`,
    { errors: [{ pointer: '/take', message: first.words, fix }] },
  );
}
