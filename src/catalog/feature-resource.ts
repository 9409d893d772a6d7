import { z } from 'zod';
import { catalogSearch } from './catalog-search';
import { booleanFilter, listQuery } from '../schemas/list';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { displayName, featureKey, line } from '../schemas/text';
import { dimensionNames } from '../usage-history/dimension-names';
import type { FeatureRow } from './feature-store';

const kind = z.enum(['metered', 'boolean']);
const unit = line({ min: 1, max: 50 }).meta({ description: 'Display name of the unit: `token`, `GB`.' });

/** A feature as the API shows it. `key` is what integrators send as `feature`; it never changes. */
export const featureSchema = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    kind,
    unit: z.string().nullable(),
    dimensions: dimensionNames,
    archivedAt: timeSchema.nullable(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'Feature' });

export const createFeatureInput = z
  .strictObject({
    key: featureKey,
    name: displayName,
    kind,
    unit: unit.nullish(),
    dimensions: dimensionNames.optional(),
  })
  .refine((input) => input.kind === 'metered' || (input.unit ?? null) === null, {
    path: ['unit'],
    error: 'belongs to a metered feature only',
    params: { fix: 'Leave it out, or send `"kind": "metered"`.' },
  })
  .refine((input) => input.kind === 'metered' || (input.dimensions ?? []).length === 0, {
    path: ['dimensions'],
    error: 'belong to a metered feature only',
    params: { fix: 'Leave them out, or send `"kind": "metered"`.' },
  });
export const updateFeatureInput = z.strictObject({
  name: displayName.optional(),
  unit: unit.nullish(),
  dimensions: dimensionNames.optional(),
});
export const listFeaturesQuery = listQuery.extend({ archived: booleanFilter, search: catalogSearch });

export type FeatureResource = z.output<typeof featureSchema>;

export function toFeatureResource(row: FeatureRow): FeatureResource {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    kind: row.kind,
    unit: row.unit,
    dimensions: row.dimensions,
    archivedAt: toTimeOrNull(row.archivedAt),
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}
