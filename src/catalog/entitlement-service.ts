import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { changedMembers, isNothing } from '../audit/changed-members';
import type { Database, DbTransaction } from '../db/pools';
import { refuseDuplicate } from '../db/unique-violation';
import { inWorkspace } from '../db/workspace-transaction';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import { omitUndefined } from '../schemas/omit-undefined';
import type { listQuery } from '../schemas/list';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import {
  rolloverOf,
  toEntitlementResource,
  type createEntitlementInput,
  type EntitlementResource,
  type entitlementTermsInput,
  type updateEntitlementInput,
} from './entitlement-resource';
import {
  deleteEntitlement,
  findEntitlement,
  insertEntitlement,
  listEntitlements,
  updateEntitlement,
  type EntitlementWithFeature,
} from './entitlement-store';
import { columnsOf, termsFor } from './entitlement-terms';
import { findFeature, type FeatureRow } from './feature-store';
import { requireFeature } from './feature-service';
import { findPlan } from './plan-store';
import { requirePlan } from './plan-service';

/**
 * Entitlements of plans. A change applies immediately to the plan's subscribers: check and track follow it from the
 * very next call, and usage of the current period still counts. (If the reset interval changes, the new interval's
 * period starts with no usage.)
 */
export interface Entitlements {
  /** @throws TollgateError plan_not_found */
  list(actor: Actor, planId: string, query: z.output<typeof listQuery>): Promise<Page<EntitlementResource>>;
  /**
   * @throws TollgateError plan_not_found, feature_not_found, feature_archived, validation_failed, and resource_conflict
   * if the plan already has an entitlement to the feature
   */
  create(
    actor: Actor,
    planId: string,
    input: z.output<typeof createEntitlementInput>,
  ): Promise<EntitlementResource>;
  /** @throws TollgateError entitlement_not_found, validation_failed */
  replace(
    actor: Actor,
    planId: string,
    id: string,
    input: z.output<typeof entitlementTermsInput>,
  ): Promise<EntitlementResource>;
  /**
   * Omitted terms are unchanged.
   * @throws TollgateError entitlement_not_found, validation_failed
   */
  update(
    actor: Actor,
    planId: string,
    id: string,
    input: z.output<typeof updateEntitlementInput>,
  ): Promise<EntitlementResource>;
  /** @throws TollgateError entitlement_not_found */
  remove(actor: Actor, planId: string, id: string): Promise<void>;
}

export function createEntitlements(options: { database: Database; cursorSecret: string }): Entitlements {
  const { database, cursorSecret } = options;

  const change = (
    actor: Actor,
    planId: string,
    id: string,
    inputFor: (current: EntitlementWithFeature) => z.output<typeof entitlementTermsInput>,
  ): Promise<EntitlementResource> =>
    inWorkspace(database, actor.scope, actor.reason, async (trx) => {
      const current = await requireEntitlement(trx, actor.scope, planId, id, 'update');
      const terms = termsFor(current.feature, inputFor(current));
      const changed = changedMembers(columnsOf(inputOf(current)), terms);
      if (isNothing(changed)) return toEntitlementResource(current);
      const updatedAt = timeOfChange(actor, current);
      await updateEntitlement(trx, actor.scope, id, { ...terms, updatedAt });
      const detail = { planId, feature: current.feature.key, ...changed };
      await recordAudit(trx, actor, { action: 'entitlement.updated', target: id, detail });
      return toEntitlementResource(await requireEntitlement(trx, actor.scope, planId, id));
    });

  return {
    list: ({ scope, reason }, planId, { take, cursor, from, to }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        requirePlan(await findPlan(trx, scope, { id: planId }), planId);
        const list = {
          secret: cursorSecret,
          scope,
          list: 'entitlements',
          filters: { planId },
          take,
          cursor,
          from,
          to,
        };
        const page = await pageById(list, (part) => listEntitlements(trx, scope, planId, part));
        return mapPage(page, toEntitlementResource);
      }),

    create: (actor, planId, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        requirePlan(await findPlan(trx, actor.scope, { id: planId }, 'share'), planId);
        const feature = await requireOpenFeature(trx, actor.scope, input);
        const terms = termsFor(feature, input);
        const at = { createdAt: actor.now, updatedAt: actor.now };
        const id = newIdentifier('entitlement');
        await refuseDuplicate(input.featureId === undefined ? 'featureKey' : 'featureId', feature.key, () =>
          insertEntitlement(trx, actor.scope, { id, planId, featureId: feature.id, ...terms, ...at }),
        );
        const detail = { planId, feature: feature.key, ...terms };
        await recordAudit(trx, actor, { action: 'entitlement.created', target: id, detail });
        return toEntitlementResource(await requireEntitlement(trx, actor.scope, planId, id));
      }),

    replace: (actor, planId, id, input) => change(actor, planId, id, () => input),

    update: (actor, planId, id, input) =>
      change(actor, planId, id, (current) => ({ ...inputOf(current), ...omitUndefined(input) })),

    remove: (actor, planId, id) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const current = await requireEntitlement(trx, actor.scope, planId, id, 'update');
        await deleteEntitlement(trx, actor.scope, id, timeOfChange(actor, current));
        const detail = { planId, feature: current.feature.key };
        await recordAudit(trx, actor, { action: 'entitlement.deleted', target: id, detail });
      }),
  };
}

/**
 * Returns until when the current terms are kept. A change that was received before the previous one, but comes after
 * it, must not reach back before it.
 */
function timeOfChange({ now }: Actor, { updatedAt }: EntitlementWithFeature): Instant {
  return Math.max(now, updatedAt);
}

async function requireEntitlement(
  trx: DbTransaction,
  scope: WorkspaceScope,
  planId: string,
  id: string,
  lock?: 'update',
): Promise<EntitlementWithFeature> {
  const found = await findEntitlement(trx, scope, planId, id, lock);
  if (found !== undefined) return found;
  throw new TollgateError('entitlement_not_found', `The plan "${planId}" has no entitlement "${id}".`);
}

async function requireOpenFeature(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { featureId, featureKey = '' }: z.output<typeof createEntitlementInput>,
): Promise<FeatureRow> {
  const name = featureId === undefined ? { key: featureKey } : { id: featureId };
  const feature = requireFeature(await findFeature(trx, scope, name), featureId ?? featureKey);
  if (feature.archivedAt === null) return feature;
  throw new TollgateError('feature_archived', `The feature "${feature.key}" is archived.`);
}

/** Returns the stored terms in the form of a request. */
function inputOf(current: EntitlementWithFeature): z.output<typeof entitlementTermsInput> {
  return {
    quota: toNumber(current.quota),
    perSeat: current.perSeat,
    resetInterval: current.resetInterval,
    enforcement: current.enforcement,
    creditCost: toNumber(current.creditCost),
    rollover: rolloverOf(current),
    entityQuota: toNumber(current.entityQuota),
    alertPercents: current.alertPercents,
  };
}

function toNumber(decimal: string | null): number | null {
  return decimal === null ? null : decimalToNumber(parseDecimal(decimal));
}
