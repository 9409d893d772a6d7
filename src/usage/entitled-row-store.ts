import type { Enforcement } from '../domain/access';
import type { Instant } from '../domain/instant';
import type { FormerRhythm, ResetInterval } from '../domain/period';
import type { BillingInterval, SubscriptionStatus } from '../domain/subscription';
import type { Provider } from '../domain/provider';
import { TALLY_COLUMNS, type TallyColumns } from './counter';

/** An open subscription's entitlement to a feature, with its latest counter. Decimals are text. */
export interface EntitledRow extends TallyColumns {
  subscriptionId: string;
  planId: string;
  planSlug: string;
  provider: Provider;
  status: SubscriptionStatus;
  seats: number;
  startedAt: Instant;
  billingAnchor: Instant;
  timeZone: string;
  interval: BillingInterval;
  formerRhythms: FormerRhythm[] | null;
  currentPeriodEnd: Instant;
  cancelAtPeriodEnd: boolean;
  cancelAt: Instant | null;
  pastDueSince: Instant | null;
  paymentDueAt: Instant | null;
  quota: string | null;
  perSeat: boolean;
  resetInterval: ResetInterval;
  enforcement: Enforcement;
  creditCost: string | null;
  rolloverPeriods: number;
  rolloverMax: string | null;
  rolloverFirst: boolean;
  /** Units per period for each entity; null: entities have no quota of their own. */
  entityQuota: string | null;
  /** Number of entities that the plan allows; null: any number. */
  entityLimit: number | null;
  /** Null if nothing has been counted yet; it may belong to a usage period that is over. */
  counterStart: Instant | null;
  /** Counters and terms of earlier usage periods, if unused quota rolls over; otherwise null. */
  earlier: EarlierPeriods | null;
}

/** Earlier counters and terms, newest first. Decimals are text, times ISO 8601. */
interface EarlierPeriods {
  counters: (TallyColumns & { start: string })[] | null;
  terms: TermsRow[] | null;
  /** Set if all required terms are included, although more exist than are read with the row. */
  hasAllTerms?: true;
}

/** Terms that an entitlement granted a subscription until `until`. */
export interface TermsRow {
  until: string;
  quota: string | null;
  perSeat: boolean;
  seats: number;
  resetInterval: ResetInterval;
  rollsOver: boolean;
}

/** The row's columns, of a subscription `s`, its plan `p`, the entitlement `e` and the counter `u`. */
export const ENTITLED_COLUMNS = `
  s.id AS "subscriptionId", s.plan_id AS "planId", p.slug AS "planSlug", s.provider, s.status, s.seats,
  s.started_at AS "startedAt", s.billing_anchor AS "billingAnchor", s.time_zone AS "timeZone",
  s.billing_interval AS "interval", s.former_rhythms AS "formerRhythms", s.current_period_end AS "currentPeriodEnd",
  s.cancel_at_period_end AS "cancelAtPeriodEnd", s.cancel_at AS "cancelAt", s.past_due_since AS "pastDueSince",
  s.payment_due_at AS "paymentDueAt",
  e.quota, e.per_seat AS "perSeat", e.reset_interval AS "resetInterval", e.enforcement, e.credit_cost AS "creditCost",
  e.rollover_periods AS "rolloverPeriods", e.rollover_max AS "rolloverMax", e.rollover_first AS "rolloverFirst",
  e.entity_quota AS "entityQuota", p.entity_limit AS "entityLimit",
  u.period_start AS "counterStart", ${TALLY_COLUMNS}, r.earlier`;

/**
 * Returns an SQL expression for the percentages of the quota to notify, as the text of an array, of an entitlement `e`.
 *
 * @param customer SQL expression of the customer's own setting
 * @param workspace SQL expression of the default if neither the customer nor the entitlement has a setting
 */
export function alertPercents(customer: string, workspace: string): string {
  return `CASE WHEN e.id IS NOT NULL THEN coalesce(${customer}, e.alert_percents, ${workspace})::text END`;
}

/**
 * Counters read in addition to those of the periods whose quota may roll over: the current one, and one that begins
 * within minutes.
 */
const COUNTERS_OF_NOW = 2;

/** Returns the maximum number of counters to read if unused quota rolls over for `rolloverPeriods` periods. */
export function countersRead(rolloverPeriods: number): number {
  return rolloverPeriods + COUNTERS_OF_NOW;
}

/** Maximum number of changes of terms, the latest ones, that are read with a row. */
export const MAX_TERMS = 100;

/**
 * Returns the joins that the columns need after a subscription `s` and its entitlement `e`: the latest counter `u`, and
 * `r`, which is read only if unused quota rolls over.
 *
 * @param names SQL expressions of the tenant, the customer's and the feature's ids, and further conditions on the
 * counter
 */
export function counterJoins(names: {
  tenant: readonly [string, string];
  customer: string;
  feature: string;
  counter?: string;
}): string {
  const [workspace, environment] = names.tenant;
  const counters = `n.workspace_id = ${workspace} AND n.environment = ${environment} AND n.customer_id = ${names.customer}
       AND n.feature_id = ${names.feature} AND n.subscription_id = s.id AND n.reset_interval = e.reset_interval`;
  return `
  LEFT JOIN LATERAL (
    SELECT * FROM tollgate.usage_counters n WHERE ${counters} ${names.counter ?? ''}
     ORDER BY period_start DESC LIMIT 1) u ON true
  LEFT JOIN LATERAL (
    SELECT json_build_object(
      'counters', (SELECT json_agg(json_build_object('start', p.period_start, 'quotaUsed', p.quota_used::text,
                     'rolloverUsed', p.rollover_used::text, 'creditUsed', p.credit_used::text,
                     'overageUsed', p.overage_used::text, 'usedLater', p.used_later::text,
                     'alertedQuota', p.alerted_quota::text, 'alertedPercent', p.alerted_percent))
                     FROM (SELECT * FROM tollgate.usage_counters n WHERE ${counters}
                            ORDER BY period_start DESC LIMIT e.rollover_periods + ${COUNTERS_OF_NOW}) p),
      'terms', (SELECT json_agg(json_build_object('until', t.until, 'quota', t.quota::text, 'perSeat', t.per_seat,
                  'seats', t.seats, 'resetInterval', t.reset_interval, 'rollsOver', t.rolls_over))
                  FROM (SELECT * FROM tollgate.former_entitlement_terms
                         WHERE workspace_id = ${workspace} AND environment = ${environment}
                           AND subscription_id = s.id AND feature_id = ${names.feature}
                         ORDER BY until DESC LIMIT ${MAX_TERMS}) t)) AS earlier
     WHERE e.rollover_periods > 0) r ON true`;
}
