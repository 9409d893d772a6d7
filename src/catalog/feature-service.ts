import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { changedMembers, isNothing } from '../audit/changed-members';
import type { Database } from '../db/pools';
import { refuseDuplicate } from '../db/unique-violation';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor } from '../tenancy/actor';
import { declareDimensions } from '../usage-history/dimension-store';
import {
  toFeatureResource,
  type createFeatureInput,
  type FeatureResource,
  type listFeaturesQuery,
  type updateFeatureInput,
} from './feature-resource';
import { findFeature, insertFeature, listFeatures, updateFeature, type FeatureRow } from './feature-store';

export interface Features {
  list(actor: Actor, query: z.output<typeof listFeaturesQuery>): Promise<Page<FeatureResource>>;
  /** @throws TollgateError feature_not_found */
  get(actor: Actor, id: string): Promise<FeatureResource>;
  /** @throws TollgateError resource_conflict on the key */
  create(actor: Actor, input: z.output<typeof createFeatureInput>): Promise<FeatureResource>;
  /** @throws TollgateError feature_not_found; validation_failed for a unit or dimensions of a boolean feature */
  update(actor: Actor, id: string, input: z.output<typeof updateFeatureInput>): Promise<FeatureResource>;
  /**
   * Archives or unarchives a feature. An archived feature cannot be added to further plans. Existing entitlements to it
   * continue, and its usage is kept. Idempotent.
   *
   * @throws TollgateError feature_not_found
   */
  setArchived(actor: Actor, id: string, archived: boolean): Promise<FeatureResource>;
}

export function createFeatures(options: { database: Database; cursorSecret: string }): Features {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason }, { take, cursor, from, to, archived, search }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const filters = { archived: archived?.toString(), search };
        const list = { secret: cursorSecret, scope, list: 'features', filters, take, cursor, from, to };
        const page = await pageById(list, (part) =>
          listFeatures(trx, scope, { ...part, ...omitUndefined({ archived, search }) }),
        );
        return mapPage(page, toFeatureResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) =>
        toFeatureResource(requireFeature(await findFeature(trx, scope, { id }), id)),
      ),

    create: (actor, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const at = { createdAt: actor.now, updatedAt: actor.now, archivedAt: null };
        const feature: FeatureRow = {
          id: newIdentifier('feature'),
          ...input,
          unit: input.unit ?? null,
          dimensions: input.dimensions ?? [],
          ...at,
        };
        const row = await refuseDuplicate('key', input.key, () => insertFeature(trx, actor.scope, feature));
        if (row.dimensions.length > 0) await declareDimensions(trx, actor.scope, row.id, row.dimensions);
        await recordAudit(trx, actor, { action: 'feature.created', target: row.id, detail: input });
        return toFeatureResource(row);
      }),

    update: (actor, id, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const feature = requireFeature(await findFeature(trx, actor.scope, { id }, 'lock'), id);
        if (feature.kind === 'boolean') {
          if ((input.unit ?? null) !== null) throw notOfBoolean(feature.key, 'unit');
          if ((input.dimensions ?? []).length > 0) throw notOfBoolean(feature.key, 'dimensions');
        }
        const change = changedMembers(feature, omitUndefined(input));
        if (isNothing(change)) return toFeatureResource(feature);
        const row = await updateFeature(trx, actor.scope, id, { ...change, updatedAt: actor.now });
        if (change.dimensions !== undefined) await declareDimensions(trx, actor.scope, id, change.dimensions);
        await recordAudit(trx, actor, { action: 'feature.updated', target: id, detail: change });
        return toFeatureResource(requireFeature(row, id));
      }),

    setArchived: (actor, id, archived) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const feature = requireFeature(await findFeature(trx, actor.scope, { id }, 'lock'), id);
        if ((feature.archivedAt !== null) === archived) return toFeatureResource(feature);
        const change = { archivedAt: archived ? actor.now : null, updatedAt: actor.now };
        const row = await updateFeature(trx, actor.scope, id, change);
        const action = archived ? 'feature.archived' : 'feature.unarchived';
        await recordAudit(trx, actor, { action, target: id });
        return toFeatureResource(requireFeature(row, id));
      }),
  };
}

/** @throws TollgateError feature_not_found */
export function requireFeature(feature: FeatureRow | undefined, name: string): FeatureRow {
  if (feature !== undefined) return feature;
  throw new TollgateError('feature_not_found', `There is no feature "${name}" in this environment.`);
}

function notOfBoolean(key: string, member: 'unit' | 'dimensions'): TollgateError {
  const message = `"${key}" is on or off and has no ${member}.`;
  return new TollgateError('validation_failed', message, {
    errors: [{ pointer: `/${member}`, message, fix: 'Leave it out.' }],
  });
}
