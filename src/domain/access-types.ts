import type { Decimal } from './decimal';
import type { Instant } from './instant';
import type { Period } from './period';
import type { CarriedUnits } from './rollover';

export type Enforcement = 'hard' | 'soft';

/** One entitlement of one subscription that grants access now. */
export interface AccessSource {
  subscriptionId: string;
  plan: { id: string; slug: string };
  /** Units a period, already multiplied by the seats; null is unlimited. */
  quota: Decimal | null;
  /** Units of this period that were taken from the quota. */
  quotaUsed: Decimal;
  /** All units of this period: from the quota or earlier ones', paid with credits, and overage. */
  used: Decimal;
  /** Units of the quota that later usage periods have used. */
  usedLater: Decimal;
  /** Units of the quota that reservations hold. */
  reservedQuota: Decimal;
  /** What earlier usage periods leave to this one, without what is held, oldest first. */
  carried: readonly CarriedUnits[];
  /** How many of them may still be used in this period; null: all. */
  carriedLimit: Decimal | null;
  /** Whether they are used before the quota. */
  carriedFirst: boolean;
  /** All units that reservations hold: of the quota, of credits, and overage. */
  reserved: Decimal;
  enforcement: Enforcement;
  /** Credits a unit costs, at most six decimals; null (or nothing above zero): credits do not apply. */
  creditCost: Decimal | null;
  period: Period;
  /** Units of the period that each of the customer's entities may take from it; null: as many as there are. */
  entityQuota: Decimal | null;
  /** Entities that the plan allows a customer; null: any number. */
  entityLimit: number | null;
  /** What the entity that is asked for has taken in the period; null where the question names none. */
  entity: EntityUse | null;
}

/** What one entity of a customer has taken from a source in its period. */
export interface EntityUse {
  /** Units from the quota and from earlier periods' quotas: what `entityQuota` bounds. */
  quotaUsed: Decimal;
  /** All units: with those paid by credits, and overage. */
  used: Decimal;
  /** Units of `quotaUsed`'s kind that reservations of the entity hold. */
  reservedQuota: Decimal;
  /** All units that reservations of the entity hold. */
  reserved: Decimal;
}

/** What is left of one grant of credits. */
export interface CreditBalance {
  grantId: string;
  remaining: Decimal;
  /** Credits of it that reservations hold. */
  reserved: Decimal;
  expiresAt: Instant | null;
}

/** The best access status over the customer's subscriptions. */
export type AccessStatus = 'active' | 'past_due' | 'none';

export interface AccessQuestion {
  feature: { key: string; kind: 'metered' | 'boolean' };
  /** Units asked for: above zero, at most six decimals. */
  quantity: Decimal;
  sources: readonly AccessSource[];
  /** Grants that have not expired. */
  credits: readonly CreditBalance[];
  /** When it is decided, which may be after the usage period of the sources. */
  now: Instant;
  /** Decides only the reason when there is no source. */
  accessStatus: AccessStatus;
  /** Which of the customer's entities uses it; null: none is named. */
  entity: AskingEntity | null;
}

/** One of a customer's users, projects or whatever else it tells apart. */
export interface AskingEntity {
  id: string;
  /** Whether the customer has no such entity yet: its first use makes it one. */
  isNew: boolean;
  /** Entities that the customer has; counted only where this one is new, and no further than the limit. */
  count: number;
}

/** The usage period that units count in. */
interface CountedIn {
  subscriptionId: string;
  periodStart: Instant;
}

/** Where units come from. `quantity` is in units of the feature, `credits` in credits. */
export type Deduction = CountedIn &
  (
    | { from: 'quota' | 'overage'; quantity: Decimal }
    /** Of the quota of an earlier usage period. */
    | { from: 'rollover'; quantity: Decimal; originStart: Instant }
    | { from: 'credits'; quantity: Decimal; credits: Decimal; grantId: string }
  );

export interface AccessSnapshot {
  usage: Decimal;
  /** null when unlimited, and for a boolean feature. */
  quota: Decimal | null;
  remaining: Decimal | null;
  unlimited: boolean;
  /** Units of earlier usage periods that may be used; `remaining` is with them. */
  rollover: Decimal;
  /** Units that reservations hold. `remaining` and `creditBalance` are without them. */
  reserved: Decimal;
  creditBalance: Decimal;
  /** Of the entity that is asked for; null where none is named. */
  entity: EntityBalance | null;
}

/** Where one entity stands with its own quota. */
export interface EntityBalance {
  usage: Decimal;
  /** null where the entity has no quota of its own. */
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
  /** The same as `before` when denied. */
  after: AccessSnapshot;
  enforcement: Enforcement | null;
  /** `quantity`: the part of this call beyond quota and credits; zero when denied. */
  overage: { allowed: boolean; quantity: Decimal };
  period: Period | null;
  plan: { id: string; slug: string } | null;
  subscriptionId: string | null;
}
