import { z } from 'zod';
import { DRIFT_FIELDS, UNVERIFIABLE_CODES, type Drift } from '../domain/drift';
import { REPAIR_TAKES } from '../domain/drift-repair';
import type { Instant } from '../domain/instant';
import type { BilledFacts } from '../domain/reconciled-view';
import { endsAt } from '../domain/pending-cancellation';
import { SUBSCRIPTION_STATUSES } from '../domain/subscription-types';
import { isNameOf, seatsAtProvider, type PlansAtProvider } from '../domain/terms-at-provider';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { subscriptionSchema } from '../subscriptions/subscription-resource';
import { PROVIDERS } from '../domain/provider';

/** A number is a count of seats; an amount is text, as everywhere. */
const value = z.union([z.string(), z.int(), z.boolean()]);

/** The differences between a subscription and its provider. */
const driftMembers = {
  inSync: z.boolean().nullable().meta({
    description: 'False with any difference; null if the comparison was incomplete.',
  }),
  differences: z.array(
    z
      .object({
        field: z.enum(DRIFT_FIELDS),
        local: value,
        provider: value,
        words: z.string().meta({ description: 'The difference as a sentence.' }),
      })
      .meta({ id: 'DriftDifference' }),
  ),
  notes: z
    .array(
      z
        .object({ field: z.enum(DRIFT_FIELDS), code: z.enum(['older_price']), words: z.string() })
        .meta({ id: 'DriftNote' }),
    )
    .meta({
      description:
        'Remarks that are not differences. `older_price`: the subscription keeps its earlier price at the provider.',
    }),
  unverifiable: z.array(
    z
      .object({
        field: z.enum(DRIFT_FIELDS),
        code: z.enum(UNVERIFIABLE_CODES).meta({
          description:
            '`not_exposed`: the provider does not report it (`inSync` is unaffected); `not_read`: the provider could not be read; `plan_unknown`: no plan here matches; `under_way`: it is about to change; `local`: no provider bills it.',
        }),
        reason: z.string(),
      })
      .meta({ id: 'DriftUnverifiable' }),
  ),
};

const atProviderSchema = z
  .object({
    status: z.enum(SUBSCRIPTION_STATUSES),
    planReference: z.string().nullable().meta({ description: 'The provider’s id of the plan.' }),
    plan: z
      .object({ id: z.string(), slug: z.string() })
      .nullable()
      .meta({ description: 'The plan here that has this id, or had it when the customer subscribed.' }),
    seats: z.int().nullable(),
    cancelAtPeriodEnd: z.boolean(),
    cancelAt: timeSchema
      .nullable()
      .meta({ description: 'When it ends at the provider without further action; null if it renews.' }),
    currentPeriodStart: timeSchema.nullable(),
    currentPeriodEnd: timeSchema.nullable(),
  })
  .meta({ id: 'SubscriptionAtProvider' });

export const driftSchema = z
  .object({
    subscriptionId: z.string(),
    provider: z.enum(PROVIDERS),
    connectionId: z.string().nullable(),
    providerReference: z.string().nullable(),
    checkedAt: timeSchema,
    ...driftMembers,
    atProvider: atProviderSchema
      .nullable()
      .meta({ description: 'The provider’s state; null where it could not be read.' }),
  })
  .meta({ id: 'SubscriptionDrift' });

export type DriftResource = z.output<typeof driftSchema>;

export const repairInput = z.strictObject({
  take: z.enum(REPAIR_TAKES).meta({
    description:
      'Which side is right: `provider` copies the provider’s state here; `local` writes the local state to the provider.',
  }),
  endMissing: z.boolean().default(false).meta({
    description:
      'With `provider`: ends the subscription here if the provider does not have it. First check that the connection leads to the right account.',
  }),
});

export const repairSchema = z
  .object({
    subscription: subscriptionSchema,
    take: z.enum(REPAIR_TAKES),
    changes: z.array(z.object({ field: z.string(), from: value.nullable(), to: value.nullable() })).meta({
      description: 'What the repair changed here.',
    }),
    ...driftMembers,
  })
  .meta({ id: 'DriftRepair' });

export type RepairResource = z.output<typeof repairSchema>;

/** The result of a comparison, and its time (the workspace's time). */
export interface Compared {
  subscription: BilledSubscription;
  facts: BilledFacts | null;
  plans: PlansAtProvider;
  drift: Drift;
  checkedAt: Instant;
}

export function toDriftResource(compared: Compared): DriftResource {
  const { subscription, facts, plans, drift, checkedAt } = compared;
  const { id, provider, connectionId, providerReference } = subscription;
  return {
    subscriptionId: id,
    provider,
    connectionId,
    providerReference,
    checkedAt: toTime(checkedAt),
    ...drift,
    atProvider: facts && toAtProvider(subscription, facts, plans),
  };
}

function toAtProvider(
  { provider, planId, planSlug }: BilledSubscription,
  facts: BilledFacts,
  plans: PlansAtProvider,
): z.output<typeof atProviderSchema> {
  const { status, planReference, quantity, cancelAtPeriodEnd, currentPeriodStart, currentPeriodEnd } = facts;
  const isOwn = isNameOf(plans, planId, planReference);
  const other = isOwn || planReference === null ? null : plans.planOf(planReference);
  const plan = isOwn ? { id: planId, slug: planSlug } : other;
  return {
    status,
    planReference,
    plan: plan && { id: plan.id, slug: plan.slug },
    seats: seatsAtProvider(provider, quantity),
    cancelAtPeriodEnd,
    cancelAt: toTimeOrNull(endsAt(facts)),
    currentPeriodStart: toTimeOrNull(currentPeriodStart),
    currentPeriodEnd: toTimeOrNull(currentPeriodEnd),
  };
}
