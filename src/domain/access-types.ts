import type { Decimal } from './decimal';
import type { Instant } from './instant';
import type { Period } from './period';
import type { CarriedUnits } from './rollover';

export const ENFORCEMENTS = ['hard', 'soft'] as const;
export type Enforcement = (typeof ENFORCEMENTS)[number];

/** One entitlement of one subscription that grants access now. */
export interface AccessSource {
  subscriptionId: string;
  plan: { id: string; slug: string };
  /** Units per period, already multiplied by the seats; null is unlimited. */
  quota: Decimal | null;
  /** Units of this period taken from its quota. */
  quotaUsed: Decimal;
  /** All units of this period: from its quota, from earlier periods' quotas, paid with credits, and overage. */
  used: Decimal;
  /** Units of the quota that later usage periods have used. */
  usedLater: Decimal;
  /** Units of the quota that reservations hold. */
  reservedQuota: Decimal;
  /** Units carried over from earlier usage periods, excluding those held, oldest first. */
  carried: readonly CarriedUnits[];
  /** How many carried units may still be used in this period; null: all. */
  carriedLimit: Decimal | null;
  /** Whether carried units are used before the quota. */
  carriedFirst: boolean;
  /** All units that reservations hold: of the quota, of credits, and overage. */
  reserved: Decimal;
  enforcement: Enforcement;
  /** Credits per unit, at most six decimals; null (or not above zero): credits do not apply. */
  creditCost: Decimal | null;
  period: Period;
  /** Units of the period that each of the customer's entities may take; null: unlimited. */
  entityQuota: Decimal | null;
  /** Number of entities that the plan allows a customer; null: any number. */
  entityLimit: number | null;
  /** What the entity in question has taken in the period; null if the question names none. */
  entity: EntityUse | null;
}

/** What one entity of a customer has taken from a source in its period. */
export interface EntityUse {
  /** Units from the quota and from earlier periods' quotas, which `entityQuota` bounds. */
  quotaUsed: Decimal;
  /** All units, including those paid with credits and overage. */
  used: Decimal;
  /** Units that the entity's reservations hold of the kind that `quotaUsed` counts. */
  reservedQuota: Decimal;
  /** All units that the entity's reservations hold. */
  reserved: Decimal;
}

/** Remaining credits of one grant. */
export interface CreditBalance {
  grantId: string;
  remaining: Decimal;
  /** Credits of the grant that reservations hold. */
  reserved: Decimal;
  expiresAt: Instant | null;
}

/**
 * The best access status over the customer's subscriptions, but `past_due` if one is past due whose plan has the
 * feature and none gives it.
 */
export type AccessStatus = 'active' | 'past_due' | 'none';

export interface AccessQuestion {
  feature: { key: string; kind: 'metered' | 'boolean' };
  /** Units asked for: above zero, at most six decimals. */
  quantity: Decimal;
  sources: readonly AccessSource[];
  /** Grants that have not expired. */
  credits: readonly CreditBalance[];
  /** Time of the decision, which may be after the sources' usage period. */
  now: Instant;
  /** Decides only the reason of a denial when there is no source. */
  accessStatus: AccessStatus;
  /** The customer's entity that uses the feature; null: none is named. */
  entity: AskingEntity | null;
}

/** One of a customer's users, projects or other things that it counts separately. */
export interface AskingEntity {
  id: string;
  /** Whether the customer does not have this entity yet; its first use creates it. */
  isNew: boolean;
  /** Number of the customer's entities; counted only if this one is new, and only up to the limit. */
  count: number;
}

/** The usage period that units count in. */
interface CountedIn {
  subscriptionId: string;
  periodStart: Instant;
}

/** Source of the units. `quantity` is in units of the feature, `credits` in credits. */
export type Deduction = CountedIn &
  (
    | { from: 'quota' | 'overage'; quantity: Decimal }
    /** From the quota of an earlier usage period. */
    | { from: 'rollover'; quantity: Decimal; originStart: Instant }
    | { from: 'credits'; quantity: Decimal; credits: Decimal; grantId: string }
  );

export interface AccessSnapshot {
  usage: Decimal;
  /** null when unlimited, and for a boolean feature. */
  quota: Decimal | null;
  remaining: Decimal | null;
  unlimited: boolean;
  /** Units of earlier usage periods that may be used; `remaining` includes them. */
  rollover: Decimal;
  /** Units that reservations hold. `remaining` and `creditBalance` exclude them. */
  reserved: Decimal;
  creditBalance: Decimal;
  /** Balance of the entity in question; null if none is named. */
  entity: EntityBalance | null;
}

/** Balance of one entity's own quota. */
export interface EntityBalance {
  usage: Decimal;
  /** null if the entity has no quota of its own. */
  quota: Decimal | null;
  remaining: Decimal | null;
  reserved: Decimal;
}

/** Why access is denied. */
export const DENIAL_CODES = [
  'no_active_subscription',
  'feature_not_in_plan',
  'quota_exceeded',
  'subscription_past_due',
  'entity_limit_reached',
  'entity_required',
] as const;
export type DenialCode = (typeof DENIAL_CODES)[number];

export interface AccessDecision {
  allowed: boolean;
  reason: { code: DenialCode; message: string } | null;
  deductions: Deduction[];
  before: AccessSnapshot;
  /** Same as `before` when denied. */
  after: AccessSnapshot;
  enforcement: Enforcement | null;
  /** `quantity`: the part of this call beyond quota and credits; zero when denied. */
  overage: { allowed: boolean; quantity: Decimal };
  period: Period | null;
  plan: { id: string; slug: string } | null;
  subscriptionId: string | null;
}
