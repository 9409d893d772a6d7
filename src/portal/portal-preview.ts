import { z } from 'zod';
import { rolloverSchema } from '../catalog/entitlement-resource';
import { timeSchema } from '../schemas/instant';
import { moneySchema } from '../schemas/money';
import {
  entityLimitDifferenceSchema,
  type ChangePreviewResource,
  type GrantedTerms,
} from '../subscriptions/change-preview-resource';
import { effectiveSchema } from '../subscriptions/change-resource';
import { termsSchema } from '../subscriptions/terms-resource';
import { ENFORCEMENTS } from '../domain/access-types';
import { CHANGE_DIRECTIONS } from '../domain/change-direction';
import { RESET_INTERVALS } from '../domain/period';

const quotaSchema = z.object({
  quota: z.number().nullable(),
  entityQuota: z
    .number()
    .nullable()
    .meta({ description: 'For each of the customer’s users, projects or the like.' }),
  unlimited: z.boolean(),
  resetInterval: z.enum(RESET_INTERVALS),
  enforcement: z.enum(ENFORCEMENTS),
  creditCost: z.number().nullable(),
  rollover: rolloverSchema.nullable(),
});

/** Effect of a change, as shown to its customer. */
export const portalPreviewSchema = z.object({
  effective: effectiveSchema,
  effectiveAt: timeSchema,
  direction: z.enum(CHANGE_DIRECTIONS),
  credit: moneySchema,
  charge: moneySchema,
  tax: moneySchema,
  dueNow: moneySchema,
  requiresApproval: z.boolean(),
  estimated: z.boolean(),
  withdraws: termsSchema.nullable().meta({ description: 'The planned change that no longer happens.' }),
  features: z.array(
    z.object({ feature: z.string(), from: quotaSchema.nullable(), to: quotaSchema.nullable() }),
  ),
  entityLimit: entityLimitDifferenceSchema.meta({
    description: 'How many users, projects or the like of the customer the plans allow; null: any number.',
  }),
});

export type PortalPreview = z.output<typeof portalPreviewSchema>;

/** @param names display names of features, by key */
export function toPortalPreview(
  preview: ChangePreviewResource,
  names: ReadonlyMap<string, string>,
): PortalPreview {
  const { effective, effectiveAt, direction, credit, charge, tax, dueNow, estimated, withdraws } = preview;
  return {
    effective,
    effectiveAt,
    direction,
    credit,
    charge,
    tax,
    dueNow,
    estimated,
    withdraws,
    requiresApproval: preview.requiresCustomerAction,
    features: preview.entitlements.map(({ feature, from, to }) => ({
      feature: names.get(feature) ?? feature,
      from: granted(from),
      to: granted(to),
    })),
    entityLimit: preview.entityLimit,
  };
}

function granted(terms: GrantedTerms | null): z.output<typeof quotaSchema> | null {
  if (terms === null) return null;
  const { quota, entityQuota, unlimited, resetInterval, enforcement, creditCost, rollover } = terms;
  return { quota, entityQuota, unlimited, resetInterval, enforcement, creditCost, rollover };
}

/** Result of a command. */
export const portalDoneSchema = z.object({
  effective: effectiveSchema,
  effectiveAt: timeSchema,
  requiresCustomerAction: z.boolean(),
});

export type PortalDone = z.output<typeof portalDoneSchema>;

/** A command that takes longer than its request. */
export const portalUnderWaySchema = z.object({ operationId: z.string() });

export type PortalUnderWay = z.output<typeof portalUnderWaySchema>;
