import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { changedMembers, isNothing } from '../audit/changed-members';
import type { Database, DbTransaction } from '../db/pools';
import { isStillReferredTo, refuseDuplicate } from '../db/unique-violation';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { insertEarlierPrice } from './earlier-price-store';
import { findPlanGroup } from './plan-group-store';
import type { PlanProviderResource } from './plan-provider-resource';
import {
  toPlanResource,
  type createPlanInput,
  type listPlansQuery,
  type PlanResource,
} from './plan-resource';
import {
  deletePlan,
  findPlan,
  hasSubscriptions,
  insertPlan,
  listPlans,
  listPlansNamed,
  mostSeatsOn,
  updatePlan,
  withOffers,
  type PlanRow,
  type PlanWithOffer,
} from './plan-store';
import { columnsOf, refuseFixedTerms, refuseUnrecordablePrice, type PlanUpdate } from './plan-terms';

export interface Plans {
  list(actor: Actor, query: z.output<typeof listPlansQuery>): Promise<Page<PlanResource>>;
  /**
   * @param name its id or slug
   * @throws TollgateError plan_not_found
   */
  get(actor: Actor, name: string): Promise<PlanResource>;
  /** Returns the plans with these ids that exist, in no particular order. */
  listNamed(actor: Actor, ids: readonly string[]): Promise<PlanResource[]>;
  /** @throws TollgateError plan_group_not_found, plan_group_archived, resource_conflict on the slug */
  create(actor: Actor, input: z.output<typeof createPlanInput>): Promise<PlanResource>;
  /**
   * Updates a plan. A new price applies to new subscribers from now on, and to existing ones from their next renewal.
   * What counts is the renewal's boundary, however late it is processed.
   *
   * @throws TollgateError plan_not_found, plan_group_not_found, plan_group_archived, plan_terms_fixed,
   * validation_failed (`/price/amount`) for a price at which a subscriber's next period could not be recorded
   */
  update(actor: Actor, id: string, input: PlanUpdate): Promise<PlanResource>;
  /**
   * Archives or unarchives a plan. An archived plan takes no new subscriptions; existing ones continue, and so do
   * scheduled changes to it. Idempotent.
   *
   * @throws TollgateError plan_not_found
   */
  setArchived(actor: Actor, id: string, archived: boolean): Promise<PlanResource>;
  /**
   * @throws TollgateError plan_not_found; plan_in_use if the plan has or ever had a subscription, or one changes to it
   * or may still change to it
   */
  remove(actor: Actor, id: string): Promise<void>;
}

/**
 * Stores the price and the provider references that an edit replaces, in the edit's transaction, because the plan's
 * subscribers keep them at the provider.
 */
type RememberPrices = (
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: PlanRow,
  after: PlanRow,
  now: Instant,
) => Promise<void>;

/** Reads where plans can currently be sold. */
type ReadPlanProviders = (
  trx: DbTransaction,
  scope: WorkspaceScope,
) => Promise<(plan: PlanWithOffer) => PlanProviderResource[]>;

export interface CatalogOptions {
  database: Database;
  /** Signs the cursors of lists. */
  cursorSecret: string;
  rememberPrices: RememberPrices;
  readPlanProviders: ReadPlanProviders;
}

export function createPlans(options: CatalogOptions): Plans {
  const { database, cursorSecret, rememberPrices, readPlanProviders } = options;
  return {
    list: ({ scope, reason }, { take, cursor, from, to, planGroupId, archived, search }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const filters = { planGroupId, archived: archived?.toString(), search };
        const list = { secret: cursorSecret, scope, list: 'plans', filters, take, cursor, from, to };
        const page = await pageById(list, (part) =>
          listPlans(trx, scope, { ...part, ...omitUndefined({ planGroupId, archived, search }) }),
        );
        return { ...page, data: await show(trx, scope, page.data) };
      }),

    get: ({ scope, reason }, name) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const plan =
          (await findPlan(trx, scope, { id: name })) ?? (await findPlan(trx, scope, { slug: name }));
        return showOne(trx, scope, requirePlan(plan, name));
      }),

    listNamed: ({ scope, reason }, ids) =>
      inWorkspace(database, scope, reason, async (trx) =>
        show(trx, scope, await listPlansNamed(trx, scope, ids)),
      ),

    create: (actor, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        await requireOpenGroup(trx, actor.scope, input.planGroupId);
        const { price, interval, ...rest } = input;
        const plan: PlanRow = {
          id: newIdentifier('plan'),
          ...rest,
          priceAmount: price.amount.toString(),
          priceCurrency: price.currency,
          billingInterval: interval,
          createdAt: actor.now,
          updatedAt: actor.now,
          archivedAt: null,
        };
        const row = await refuseDuplicate('slug', input.slug, () => insertPlan(trx, actor.scope, plan));
        await recordAudit(trx, actor, { action: 'plan.created', target: row.id, detail: { slug: row.slug } });
        return showOne(trx, actor.scope, row);
      }),

    update: (actor, id, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const plan = requirePlan(await findPlan(trx, actor.scope, { id }, 'update'), id);
        const change = columnsOf(input);
        if (await hasSubscriptions(trx, actor.scope, id)) refuseFixedTerms(plan, change);
        if (input.planGroupId !== undefined && input.planGroupId !== plan.planGroupId) {
          await requireOpenGroup(trx, actor.scope, input.planGroupId);
        }
        const changed = changedMembers(plan, change);
        if (isNothing(changed)) return showOne(trx, actor.scope, plan);
        const row = requirePlan(
          await updatePlan(trx, actor.scope, id, { ...changed, updatedAt: actor.now }),
          id,
        );
        if (input.price !== undefined) refuseUnrecordablePrice(row, await mostSeatsOn(trx, actor.scope, id));
        if (row.priceAmount !== plan.priceAmount) {
          const earlier = { planId: id, amount: plan.priceAmount, until: actor.now };
          await insertEarlierPrice(trx, actor.scope, earlier);
        }
        await rememberPrices(trx, actor.scope, plan, row, actor.now);
        await recordAudit(trx, actor, { action: 'plan.updated', target: id, detail: changed });
        return showOne(trx, actor.scope, row);
      }),

    setArchived: (actor, id, archived) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const plan = requirePlan(await findPlan(trx, actor.scope, { id }, 'update'), id);
        if ((plan.archivedAt !== null) === archived) return showOne(trx, actor.scope, plan);
        const change = { archivedAt: archived ? actor.now : null, updatedAt: actor.now };
        const row = await updatePlan(trx, actor.scope, id, change);
        await recordAudit(trx, actor, { action: archived ? 'plan.archived' : 'plan.unarchived', target: id });
        return showOne(trx, actor.scope, requirePlan(row, id));
      }),

    remove: (actor, id) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const plan = requirePlan(await findPlan(trx, actor.scope, { id }, 'update'), id);
        if (await hasSubscriptions(trx, actor.scope, id)) throw inUse(plan);
        try {
          await deletePlan(trx, actor.scope, id);
        } catch (error) {
          throw isStillReferredTo(error) ? inUse(plan) : error;
        }
        await recordAudit(trx, actor, { action: 'plan.deleted', target: id, detail: { slug: plan.slug } });
      }),
  };

  async function show(
    trx: DbTransaction,
    scope: WorkspaceScope,
    rows: readonly PlanRow[],
  ): Promise<PlanResource[]> {
    const providersOf = await readPlanProviders(trx, scope);
    return (await withOffers(trx, rows)).map((plan) => toPlanResource(plan, providersOf(plan)));
  }
  async function showOne(trx: DbTransaction, scope: WorkspaceScope, row: PlanRow): Promise<PlanResource> {
    const [resource] = await show(trx, scope, [row]);
    if (resource === undefined) throw new Error(`The plan ${row.id} was not shown.`);
    return resource;
  }
}

/** @throws TollgateError plan_not_found */
export function requirePlan<Row extends PlanRow>(plan: Row | undefined, name: string): Row {
  if (plan !== undefined) return plan;
  throw new TollgateError('plan_not_found', `There is no plan "${name}" in this environment.`);
}

async function requireOpenGroup(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<void> {
  const group = await findPlanGroup(trx, scope, id, 'share');
  if (group === undefined) {
    throw new TollgateError('plan_group_not_found', `There is no plan group "${id}" in this environment.`);
  }
  if (group.archivedAt !== null) {
    throw new TollgateError('plan_group_archived', `The plan group "${group.slug}" is archived.`);
  }
}

function inUse(plan: PlanRow): TollgateError {
  return new TollgateError(
    'plan_in_use',
    `The plan "${plan.slug}" has or had subscriptions, or is the target of a change that is scheduled or may still be approved. Archive it instead: existing subscriptions continue, new ones are refused.`,
  );
}
