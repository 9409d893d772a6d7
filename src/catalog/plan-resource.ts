import { z } from 'zod';
import { catalogSearch } from './catalog-search';
import { booleanFilter, listQuery } from '../schemas/list';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { metadataSchema, planMetadataInput } from '../schemas/metadata';
import { moneySchema, priceInput, toMoney } from '../schemas/money';
import { idFilter } from '../schemas/id-filter';
import { displayName, identifier, slug } from '../schemas/text';
import { entitlementSchema, toEntitlementResource } from './entitlement-resource';
import { planPriceSchema } from './plan-price-resource';
import { planProviderSchema, type PlanProviderResource } from './plan-provider-resource';
import type { PlanWithOffer } from './plan-store';
import { BILLING_INTERVALS, PRICINGS } from '../domain/subscription-types';

const interval = z.enum(BILLING_INTERVALS);
const pricing = z.enum(PRICINGS);
const trialDays = z.int().min(0).max(730);
const entityLimit = z.int().min(1).max(100_000).nullable().meta({
  description: 'Maximum number of entities (users, projects and so on) per customer; null: unlimited.',
  example: null,
});

/** A plan as the API shows it. `price` is per interval, and per seat if `pricing` is `per_seat`. */
export const planSchema = z
  .object({
    id: z.string(),
    planGroupId: z.string(),
    planGroup: z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      archivedAt: timeSchema
        .nullable()
        .meta({ description: 'The plans of an archived group take no new subscriptions.' }),
    }),
    slug: z.string(),
    name: z.string(),
    price: moneySchema,
    interval,
    pricing,
    trialDays: z.int(),
    entityLimit,
    entitlements: z.array(entitlementSchema).meta({ description: 'Its entitlements, oldest first.' }),
    providers: z.array(planProviderSchema).meta({ description: 'Where it can be sold.' }),
    metadata: metadataSchema.meta({
      description: '`providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own.',
    }),
    archivedAt: timeSchema.nullable(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'Plan' });

/** The response to a change of a plan. */
export const changedPlanSchema = planSchema
  .extend({
    atProviders: z.array(planPriceSchema).meta({
      description:
        'If the price, interval, pricing or metadata was sent: the price here and at each connection that maps the plan. Empty if they could not be compared because the service was busy.',
    }),
  })
  .meta({ id: 'ChangedPlan' });

export const createPlanInput = z.strictObject({
  planGroupId: identifier,
  slug,
  name: displayName,
  price: priceInput,
  interval,
  pricing: pricing.default('flat'),
  trialDays: trialDays.default(0),
  entityLimit: entityLimit.default(null),
  metadata: planMetadataInput.default({}),
});

/** Omitted members are unchanged. Metadata that is sent replaces the whole stored object. */
export const updatePlanInput = z.strictObject({
  name: displayName.optional(),
  price: priceInput.optional(),
  trialDays: trialDays.optional(),
  entityLimit: entityLimit.optional(),
  metadata: planMetadataInput.optional(),
  planGroupId: identifier.optional(),
  interval: interval.optional(),
  pricing: pricing.optional(),
});

/** A plan's path as applications name it. */
export const planNameParams = z.strictObject({ idOrSlug: identifier });

export const listPlansQuery = listQuery.extend({
  planGroupId: idFilter('planGroup'),
  archived: booleanFilter,
  search: catalogSearch,
});

export type PlanResource = z.output<typeof planSchema>;

/** @param providers where the plan can be sold */
export function toPlanResource(row: PlanWithOffer, providers: PlanProviderResource[]): PlanResource {
  const { id, slug, name, archivedAt } = row.planGroup;
  return {
    id: row.id,
    planGroupId: row.planGroupId,
    planGroup: { id, slug, name, archivedAt: toTimeOrNull(archivedAt) },
    slug: row.slug,
    name: row.name,
    price: toMoney(row.priceAmount, row.priceCurrency),
    interval: row.billingInterval,
    pricing: row.pricing,
    trialDays: row.trialDays,
    entityLimit: row.entityLimit,
    entitlements: row.entitlements.map(toEntitlementResource),
    providers,
    metadata: row.metadata,
    archivedAt: toTimeOrNull(row.archivedAt),
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}
