import type { PlanResource } from '../catalog/plan-resource';
import { awaited, type Awaited } from '../domain/awaited';
import { capabilitiesOf } from '../domain/capabilities';
import { requireChangeable } from '../domain/change-refusals';
import { isTollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { expiresAt } from '../domain/lifecycle';
import { parseMoney } from '../domain/money';
import { endsAt } from '../domain/pending-cancellation';
import { isOnSale } from '../domain/plan-sale';
import { mayChoosePlan, offersChange, partsOfChange, type PortalPart } from '../domain/portal';
import { periodPrice } from '../domain/proration';
import { COLLECTS_AGAIN } from '../domain/provider';
import {
  accessStatusOf,
  cancellationEnd,
  graceEndsAt,
  paidUntil,
  type PastDuePolicy,
} from '../domain/subscription-access';
import { hasEnded } from '../domain/subscription-types';
import { taxChargedHere } from '../domain/tax';
import { obstacleToWithdrawal } from '../domain/withdrawal';
import { toTime, toTimeOrNull } from '../schemas/instant';
import { toMoney } from '../schemas/money';
import type { SubscriptionRow } from '../subscriptions/subscription-store';
import { toCustomerCapabilities, toCustomerReason } from './customer-safe';
import type { PortalOfferedPlan, PortalSubscription } from './portal-view-schema';

/** Context in which a subscription is shown. */
export interface PortalContext {
  now: Instant;
  /** How long past-due subscriptions keep access. */
  policy: PastDuePolicy;
  /** Plans of the plan groups of all subscriptions shown. */
  plans: readonly PlanResource[];
  /** Parts that the page shows and offers. */
  shows: readonly PortalPart[];
  /** Slugs that customers may choose; null: any. */
  chosenFrom: readonly string[] | null;
  /** Plan names by id. */
  planNames: ReadonlyMap<string, string>;
  /** Payment pages of the subscriptions' open payments, by subscription id. */
  payUrls: ReadonlyMap<string, string>;
}

export function toPortalSubscription(row: SubscriptionRow, context: PortalContext): PortalSubscription {
  const { now, payUrls } = context;
  const capabilities = capabilitiesOf(row, now);
  const waitsFor = awaited(row);
  const { request } = row.work;
  const tax = taxChargedHere(row.provider, row.tax);
  const planned = request ?? row.scheduled;
  return {
    id: row.id,
    plan: { slug: row.planSlug, name: row.planName },
    status: row.status,
    seats: row.seats,
    pricing: row.pricing,
    interval: row.interval,
    price: toMoney(row.unitAmount, row.currency),
    total: toMoney(periodPrice(row), row.currency),
    taxAdded: tax.behavior === 'exclusive' && tax.rates.length > 0,
    atProvider: row.provider !== 'internal',
    collectsAgain: row.provider !== 'internal' && COLLECTS_AGAIN[row.provider],
    currentPeriodEnd: toTime(row.currentPeriodEnd),
    endedAt: toTimeOrNull(hasEnded(row.status) ? endOf(row) : null),
    paymentDueAt: toTimeOrNull(row.paymentDueAt),
    waitsFor,
    waitsUntil: toTimeOrNull(waitsFor === null ? null : waitsUntil(row, waitsFor, now)),
    endsAt: toTimeOrNull(endsAt(row)),
    ...accessWhilePastDue(row, context),
    scheduledChange: row.scheduled && {
      plan: nameOf(row.scheduled, context),
      seats: row.scheduled.seats,
      at: toTime(row.currentPeriodEnd),
    },
    pendingApproval: request && {
      plan: nameOf(request, context),
      seats: request.seats,
      approvalUrl: request.approvalUrl,
      expiresAt: toTime(request.expiresAt),
    },
    mayWithdraw: planned !== null && offersChange(context.shows, partsOfChange({}, row, planned)),
    withdrawReason: planned && toCustomerReason(obstacleToWithdrawal(row, now)).reason,
    capabilities: toCustomerCapabilities(capabilities),
    plans: capabilities.planChange.available ? plansFor(row, context) : [],
    payUrl: payUrls.get(row.id) ?? null,
  };
}

function endOf(row: SubscriptionRow): Instant {
  // Of an expired one only its last change is known; its period would have gone on.
  return Math.min(cancellationEnd(row) ?? row.updatedAt, row.updatedAt);
}

function nameOf(terms: { planId: string; planSlug: string }, { planNames }: PortalContext): string {
  return planNames.get(terms.planId) ?? terms.planSlug;
}

/** Returns whether an overdue payment already denies the customer access, until when there is access, and is paid. */
function accessWhilePastDue(
  row: SubscriptionRow,
  { policy, now }: PortalContext,
): Pick<PortalSubscription, 'accessDenied' | 'accessUntil' | 'paidUntil'> {
  if (row.status !== 'past_due') return { accessDenied: false, accessUntil: null, paidUntil: null };
  const { pastDueSince } = row;
  return {
    accessDenied: accessStatusOf(row, policy, now) !== 'active',
    accessUntil: toTimeOrNull(pastDueSince === null ? null : graceEndsAt(pastDueSince, policy)),
    paidUntil: toTimeOrNull(paidUntil(row, now)),
  };
}

/** Returns when the awaited event happens, or is given up; null if unknown. */
function waitsUntil(row: SubscriptionRow, waitsFor: Awaited, now: Instant): Instant | null {
  switch (waitsFor) {
    case 'checkout':
      return row.incompleteUntil;
    case 'provider':
      return null;
    case 'approval':
      return row.work.request?.expiresAt ?? null;
    case 'payment': {
      const at = expiresAt(row);
      return at !== null && at > now ? at : null;
    }
    case 'end':
      return endsAt(row);
    case 'trial_end':
      return row.trialEnd;
    case 'change':
    case 'renewal':
      return row.currentPeriodEnd;
  }
}

/**
 * Returns the plans that the change itself would accept and that the provider knows. The current plan is one of them
 * only if a planned change can be reverted by nothing but a change back.
 */
function plansFor(row: SubscriptionRow, { plans, chosenFrom }: PortalContext): PortalOfferedPlan[] {
  return plans
    .filter(({ slug }) => slug === row.planSlug || mayChoosePlan(slug, chosenFrom))
    .filter((plan) => isChangeable(row, plan) && isSoldThere(row, plan))
    .map(({ slug, name, price, interval, pricing }) => ({ slug, name, price, interval, pricing }))
    .sort((one, other) => Number(BigInt(one.price.amount) - BigInt(other.price.amount)));
}

function isChangeable(row: SubscriptionRow, plan: PlanResource): boolean {
  try {
    const archived = !isOnSale(plan);
    requireChangeable(row, { ...plan, price: parseMoney(plan.price), archived }, row.seats);
    return true;
  } catch (error) {
    if (isTollgateError(error)) return false;
    throw error;
  }
}

/**
 * Whether the provider sells the plan. A change of plan gives no trial, so a trial the provider does not support is no
 * obstacle.
 */
function isSoldThere({ provider, connectionId }: SubscriptionRow, plan: PlanResource): boolean {
  return plan.providers.some(
    (seller) =>
      seller.provider === provider &&
      seller.connectionId === connectionId &&
      (seller.sellable || seller.reason === 'trial_unsupported'),
  );
}
