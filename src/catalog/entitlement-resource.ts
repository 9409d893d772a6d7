import { z } from 'zod';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import { nonNegativeDecimal, positiveDecimal } from '../schemas/decimal';
import { alertPercents as percents } from '../schemas/alert-percents';
import { timeSchema, toTime } from '../schemas/instant';
import { featureKey, identifier } from '../schemas/text';
import type { EntitlementTerms, EntitlementWithFeature } from './entitlement-store';
import { ENFORCEMENTS } from '../domain/access-types';
import { RESET_INTERVALS } from '../domain/period';

const resetInterval = z.enum(RESET_INTERVALS);
const enforcement = z.enum(ENFORCEMENTS);

const rolloverMembers = {
  periods: z
    .int()
    .min(1)
    .max(36)
    .meta({ description: 'Number of later usage periods in which unused quota may be used.' }),
  use: z
    .enum(['first', 'last'])
    .meta({ description: 'Whether it is used before or after the period’s own quota.' }),
};

/** How unused quota rolls over to later periods. */
export const rolloverSchema = z.object({
  ...rolloverMembers,
  max: z
    .number()
    .nullable()
    .meta({ description: 'Maximum number of units carried over into one period; null: all.' }),
});

const rolloverInput = z
  .strictObject({
    ...rolloverMembers,
    use: rolloverMembers.use.default('last'),
    max: positiveDecimal.nullable().default(null),
  })
  .nullable()
  .meta({ description: 'Carries unused quota over to later usage periods; null: no rollover.' });

const ENTITY_QUOTA =
  'Units per period for each of the customer’s entities. With a `quota`, it caps each entity’s share of it; without one, each entity has its own quota. Null: entities share the quota.';
const alertPercents = percents.nullable().meta({
  description:
    'Percentages of the quota that trigger `USAGE_THRESHOLD_REACHED`; null: those of the workspace’s settings.',
});

/** An entitlement of a plan to one feature, as the API shows it. */
export const entitlementSchema = z
  .object({
    id: z.string(),
    planId: z.string(),
    feature: z.object({
      id: z.string(),
      key: z.string(),
      name: z.string(),
      kind: z.enum(['metered', 'boolean']),
    }),
    quota: z
      .number()
      .nullable()
      .meta({ description: 'Units per period; null if `unlimited` is true, and for a boolean feature.' }),
    unlimited: z.boolean(),
    perSeat: z.boolean().meta({ description: 'Whether the quota is multiplied by the seats.' }),
    resetInterval,
    enforcement,
    creditCost: z
      .number()
      .nullable()
      .meta({ description: 'Credits charged for each unit beyond the quota; null: credits do not apply.' }),
    rollover: rolloverSchema.nullable(),
    entityQuota: z.number().nullable().meta({ description: ENTITY_QUOTA }),
    alertPercents,
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'PlanEntitlement' });

const quota = nonNegativeDecimal.nullable().optional().meta({
  description:
    'Units per period, at most six decimals, or null for unlimited. Required for a metered feature; not for a boolean one.',
});
const creditCost = positiveDecimal.nullable();
const entityQuota = nonNegativeDecimal
  .nullable()
  .meta({ description: `${ENTITY_QUOTA} At most six decimals.` });

/** The complete terms of an entitlement. */
export const entitlementTermsInput = z.strictObject({
  quota,
  perSeat: z.boolean().default(false),
  resetInterval: resetInterval.default('billing_period'),
  enforcement: enforcement.default('hard'),
  creditCost: creditCost.default(null),
  rollover: rolloverInput.default(null),
  entityQuota: entityQuota.default(null),
  alertPercents: alertPercents.default(null),
});

export const createEntitlementInput = entitlementTermsInput
  .extend({ featureId: identifier.optional(), featureKey: featureKey.optional() })
  .refine((input) => (input.featureId === undefined) !== (input.featureKey === undefined), {
    path: ['featureId'],
    error: 'or featureKey: send one of the two to name the feature',
    params: { fix: 'Send either featureId or featureKey.' },
  });

/** Omitted terms are unchanged. */
export const updateEntitlementInput = z.strictObject({
  quota,
  perSeat: z.boolean().optional(),
  resetInterval: resetInterval.optional(),
  enforcement: enforcement.optional(),
  creditCost: creditCost.optional(),
  rollover: rolloverInput.optional(),
  entityQuota: entityQuota.optional(),
  alertPercents: alertPercents.optional(),
});

export const entitlementParams = z.strictObject({ id: identifier, entitlementId: identifier });

export type EntitlementResource = z.output<typeof entitlementSchema>;

export function toEntitlementResource(row: EntitlementWithFeature): EntitlementResource {
  const { feature } = row;
  return {
    id: row.id,
    planId: row.planId,
    feature: { id: feature.id, key: feature.key, name: feature.name, kind: feature.kind },
    quota: toNumberOrNull(row.quota),
    unlimited: feature.kind === 'metered' && row.quota === null && row.entityQuota === null,
    perSeat: row.perSeat,
    resetInterval: row.resetInterval,
    enforcement: row.enforcement,
    creditCost: toNumberOrNull(row.creditCost),
    rollover: rolloverOf(row),
    entityQuota: toNumberOrNull(row.entityQuota),
    alertPercents: row.alertPercents,
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}

function toNumberOrNull(decimal: string | null): number | null {
  return decimal === null ? null : decimalToNumber(parseDecimal(decimal));
}

/** Returns the stored terms in the form of requests and responses. */
export function rolloverOf(
  row: Pick<EntitlementTerms, 'rolloverPeriods' | 'rolloverMax' | 'rolloverFirst'>,
): z.output<typeof rolloverSchema> | null {
  if (row.rolloverPeriods === 0) return null;
  return {
    periods: row.rolloverPeriods,
    max: toNumberOrNull(row.rolloverMax),
    use: row.rolloverFirst ? 'first' : 'last',
  };
}
