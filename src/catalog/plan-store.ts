import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/actor';
import { withFeature, type EntitlementWithFeature } from './entitlement-store';
import type { PlanGroupRow } from './plan-group-store';
import { Plan, PlanEntitlement } from './store/models';
import { newestFirst } from './store/newest-first';
import { searched } from './store/search';

export type PlanRow = Pick<
  Plan,
  | 'id'
  | 'planGroupId'
  | 'slug'
  | 'name'
  | 'priceAmount'
  | 'priceCurrency'
  | 'billingInterval'
  | 'pricing'
  | 'trialDays'
  | 'entityLimit'
  | 'metadata'
  | 'createdAt'
  | 'updatedAt'
  | 'archivedAt'
>;

/** A plan with its group and its entitlements, oldest first. */
export type PlanWithOffer = PlanRow & { planGroup: PlanGroupRow; entitlements: EntitlementWithFeature[] };

interface PlanFilter {
  planGroupId?: string;
  archived?: boolean;
  /** A part of the name or the slug. */
  search?: string;
}

/** Lists plans, newest first, with one row more than a page. */
export async function listPlans(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: PlanFilter & { take: number; before?: string },
): Promise<PlanRow[]> {
  const all = Plan.query(trx).where(tenantColumns(scope));
  const query = newestFirst(searched(all, 'slug', page.search), page);
  if (page.planGroupId !== undefined) void query.where('plan_group_id', page.planGroupId);
  return query;
}

/** Returns the same plans, in the same order, with their groups and entitlements. */
export async function withOffers(trx: DbTransaction, plans: readonly PlanRow[]): Promise<PlanWithOffer[]> {
  const graph = '[planGroup, entitlements(oldestFirst).feature]';
  const fetched = await Plan.fetchGraph([...plans], graph, { transaction: trx });
  return fetched.map((plan) => {
    const { planGroup, entitlements } = plan;
    if (planGroup === undefined || entitlements === undefined)
      throw new Error(`The offer of ${plan.id} was not read with it.`);
    return Object.assign(plan, { planGroup, entitlements: entitlements.map(withFeature) });
  });
}

/** Lists the plans whose id or slug is one of these, including archived ones. */
export async function listPlansNamed(
  trx: DbTransaction,
  scope: WorkspaceScope,
  names: readonly string[],
): Promise<PlanRow[]> {
  return Plan.query(trx)
    .where(tenantColumns(scope))
    .where((query) => {
      void query.whereIn('id', [...names]).orWhereIn('slug', [...names]);
    })
    .orderBy('id');
}

/**
 * Finds a plan, with its group.
 *
 * @param lock 'share' keeps its terms and its group unchanged until the commit (for opening subscriptions on them);
 * 'update' is for changing them, and waits for holders of a share
 */
export async function findPlan(
  trx: DbTransaction,
  scope: WorkspaceScope,
  plan: { id: string } | { slug: string },
  lock?: 'share' | 'update',
): Promise<(PlanRow & { planGroup: PlanGroupRow }) | undefined> {
  const query = Plan.query(trx)
    .where({ ...tenantColumns(scope), ...plan })
    .first();
  if (lock === 'share') void query.forShare();
  if (lock === 'update') void query.forUpdate();
  const found = await query;
  if (found === undefined) return undefined;
  const group = found.$relatedQuery('planGroup', trx).first().throwIfNotFound();
  if (lock === 'share') void group.forShare();
  const planGroup = await group;
  return Object.assign(found, { planGroup });
}

export async function insertPlan(trx: DbTransaction, scope: WorkspaceScope, plan: PlanRow): Promise<PlanRow> {
  return Plan.query(trx)
    .insert({ ...scope, ...plan })
    .returning('*');
}

export type PlanChange = Partial<Omit<PlanRow, 'id' | 'slug' | 'createdAt' | 'updatedAt'>> & {
  updatedAt: Instant;
  metadata?: Metadata;
};

/** @returns the updated plan; undefined if there is none */
export async function updatePlan(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  change: PlanChange,
): Promise<PlanRow | undefined> {
  return Plan.query(trx)
    .patch(change)
    .where({ ...tenantColumns(scope), id })
    .returning('*')
    .first();
}

/** Deletes the plan and its entitlements. Fails on a foreign key if a subscription refers to it. */
export async function deletePlan(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<void> {
  await PlanEntitlement.query(trx)
    .delete()
    .where({ ...tenantColumns(scope), plan_id: id });
  await Plan.query(trx)
    .delete()
    .where({ ...tenantColumns(scope), id });
}

/**
 * Whether the plan has, or ever had, a subscription, or one changes to it: at its next renewal, once a payment provider
 * has answered, or once its customer has approved. No foreign key protects the plan of such a change.
 */
export async function hasSubscriptions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  planId: string,
): Promise<boolean> {
  const row: unknown = await trx('tollgate.subscriptions')
    .where(tenantColumns(scope))
    .where((used) => void used.where('plan_id', planId).orWhere('scheduled_plan_id', planId))
    .first('id');
  return (
    row !== undefined || (await wasLeft(trx, scope, planId)) || (await mayBecomePlanOf(trx, scope, planId))
  );
}

/** Whether a subscription was on the plan and has changed to another. */
async function wasLeft(trx: DbTransaction, scope: WorkspaceScope, planId: string): Promise<boolean> {
  const row: unknown = await trx('tollgate.plans_once_subscribed')
    .where({ ...tenantColumns(scope), plan_id: planId })
    .first('plan_id');
  return row !== undefined;
}

/** Includes dropped requests, because provider B still accepts and bills an approval of them. */
async function mayBecomePlanOf(trx: DbTransaction, scope: WorkspaceScope, planId: string): Promise<boolean> {
  const places = [
    { request: { planId } },
    { unsettled: { intent: { to: { planId } } } },
    { dropped: [{ planId }] },
  ];
  const row: unknown = await trx('tollgate.subscriptions')
    .where(tenantColumns(scope))
    .whereNotNull('provider_work')
    .whereNotIn('status', ['cancelled', 'expired'])
    .whereRaw('provider_work @> ANY (?::jsonb[])', [places.map((place) => JSON.stringify(place))])
    .first('id');
  return row !== undefined;
}

/**
 * Returns the highest number of seats of an open subscription that is on the plan or changes to it; 1 if there is none.
 */
export async function mostSeatsOn(
  trx: DbTransaction,
  scope: WorkspaceScope,
  planId: string,
): Promise<number> {
  const row = await trx('tollgate.subscriptions')
    .where(tenantColumns(scope))
    .whereNotIn('status', ['cancelled', 'expired'])
    .where((used) => void used.where('plan_id', planId).orWhere('scheduled_plan_id', planId))
    .first<{ seats: number | null }>(trx.raw('max(greatest(seats, scheduled_seats)) AS seats'));
  return row.seats ?? 1;
}

/** A plan's names, including those in its metadata at providers. */
interface PlanNames {
  id: string;
  slug: string;
  metadata: Readonly<Record<string, unknown>>;
}

export async function findPlanNames(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<PlanNames | undefined> {
  return trx('tollgate.plans')
    .where({ ...tenantColumns(scope), id })
    .first<PlanNames | undefined>('id', 'slug', 'metadata');
}

/** Lists the plans whose metadata has this member, including archived ones, whose subscriptions continue. */
export async function findPlansWithMetadata(
  trx: DbTransaction,
  scope: WorkspaceScope,
  member: string,
): Promise<PlanNames[]> {
  return trx('tollgate.plans')
    .where(tenantColumns(scope))
    .whereRaw('metadata -> ? IS NOT NULL', [member])
    .orderBy('id')
    .select<PlanNames[]>('id', 'slug', 'metadata');
}
