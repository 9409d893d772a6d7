import { z } from 'zod';
import { catalogSearch } from './catalog-search';
import { booleanFilter, listQuery } from '../schemas/list';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { displayName, slug } from '../schemas/text';
import type { PlanGroupRow } from './plan-group-store';

/** A plan group as the API shows it. A customer has at most one open subscription per group. */
export const planGroupSchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    archivedAt: timeSchema.nullable(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'PlanGroup' });

export const createPlanGroupInput = z.strictObject({ slug, name: displayName });
export const updatePlanGroupInput = z.strictObject({ slug: slug.optional(), name: displayName.optional() });
export const listPlanGroupsQuery = listQuery.extend({ archived: booleanFilter, search: catalogSearch });

export type PlanGroupResource = z.output<typeof planGroupSchema>;

export function toPlanGroupResource(row: PlanGroupRow): PlanGroupResource {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    archivedAt: toTimeOrNull(row.archivedAt),
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}
