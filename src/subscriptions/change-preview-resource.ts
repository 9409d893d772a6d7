import { z } from 'zod';
import { rolloverSchema } from '../catalog/entitlement-resource';
import type { ChangePlan } from '../domain/plan-change';
import { timeSchema, toTime } from '../schemas/instant';
import { moneySchema, toMoney } from '../schemas/money';
import { effectiveSchema } from './change-resource';
import { termsSchema, toTerms } from './terms-resource';
import { ENFORCEMENTS } from '../domain/access-types';
import { CHANGE_DIRECTIONS } from '../domain/change-direction';
import { RESET_INTERVALS } from '../domain/period';

const grantedTerms = z.object({
  quota: z.number().nullable().meta({
    description:
      'Units per period with these seats, across all entities; null if unlimited, and for a boolean feature.',
  }),
  entityQuota: z.number().nullable().meta({
    description: 'Units per period for each entity; null if unlimited.',
  }),
  unlimited: z.boolean(),
  resetInterval: z.enum(RESET_INTERVALS),
  enforcement: z.enum(ENFORCEMENTS),
  creditCost: z.number().nullable(),
  rollover: rolloverSchema
    .nullable()
    .meta({ description: 'What happens to unused units; null: they lapse with their period.' }),
});

/** A feature's entitlement before and after a change; null if the plan has none. */
const entitlementDifferenceSchema = z.object({
  feature: z.string(),
  from: grantedTerms.nullable(),
  to: grantedTerms.nullable(),
});

/** Number of entities that a plan allows, before and after a change. */
export const entityLimitDifferenceSchema = z.object({
  from: z.int().nullable(),
  to: z.int().nullable(),
});

export type GrantedTerms = z.output<typeof grantedTerms>;
export type EntitlementDifference = z.output<typeof entitlementDifferenceSchema>;

/** How two plans differ in what they grant. */
export interface GrantDifference {
  entitlements: EntitlementDifference[];
  entityLimit: z.output<typeof entityLimitDifferenceSchema>;
}

/** The preview of a change: the same plan that the change then executes. */
export const changePreviewSchema = z
  .object({
    dryRun: z.literal(true),
    effective: effectiveSchema,
    effectiveAt: timeSchema,
    direction: z.enum(CHANGE_DIRECTIONS),
    from: termsSchema,
    to: termsSchema,
    credit: moneySchema.meta({ description: 'The unused value of the current terms.' }),
    charge: moneySchema.meta({ description: 'The remaining value of the target terms.' }),
    net: moneySchema.meta({ description: '`charge` less `credit`, before exclusive tax.' }),
    tax: moneySchema,
    dueNow: moneySchema.meta({
      description: 'The total of the transaction; 0 if the change does not take effect immediately.',
    }),
    entitlements: z
      .array(entitlementDifferenceSchema)
      .meta({ description: 'The features whose entitlement changes.' }),
    entityLimit: entityLimitDifferenceSchema.meta({
      description:
        'How many entities the plans allow; null: any number. Entities beyond a lower limit stay, and no new one is created.',
    }),
    requiresCustomerAction: z.boolean().meta({
      description:
        'Whether the change waits for the customer’s approval at the payment provider. Customers who pay by card may need no approval; only the change itself shows that.',
    }),
    policyVersion: z
      .int()
      .nullable()
      .meta({ description: 'Version of the proration policy; null without proration.' }),
    estimated: z.boolean().meta({ description: 'Whether a payment provider computes the final amounts.' }),
    withdraws: termsSchema.nullable().meta({
      description:
        'The change that would no longer happen. If that is both a scheduled one and one that awaits an approval, it is the scheduled one; `steps` names both.',
    }),
    steps: z.array(z.string()).meta({ description: 'The steps of the change, in order, as sentences.' }),
  })
  .meta({ id: 'ChangePreview' });

export type ChangePreviewResource = z.output<typeof changePreviewSchema>;

export function toChangePreview(
  plan: ChangePlan,
  currency: string,
  difference: GrantDifference,
): ChangePreviewResource {
  const { transaction } = plan;
  const money = (amount = 0n) => toMoney(amount, currency);
  return {
    dryRun: true,
    effective: plan.effective,
    effectiveAt: toTime(plan.effectiveAt),
    direction: plan.direction,
    from: toTerms(plan.from),
    to: toTerms(plan.to),
    credit: money(transaction?.proration?.current.amount),
    charge: money(transaction?.proration?.target.amount),
    net: money(transaction?.proration?.net),
    tax: money(transaction?.taxAmount),
    dueNow: money(transaction?.total),
    ...difference,
    requiresCustomerAction: plan.requiresCustomerAction,
    policyVersion: plan.policyVersion,
    estimated: plan.estimated,
    withdraws: plan.withdraws === null ? null : toTerms(plan.withdraws),
    steps: plan.steps,
  };
}
