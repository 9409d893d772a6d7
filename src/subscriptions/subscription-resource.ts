import { z } from 'zod';
import { expandable } from '../expansion/expanded-resource';
import { AWAITED } from '../domain/awaited';
import { capabilitiesOf } from '../domain/capabilities';
import type { Instant } from '../domain/instant';
import { endsAt } from '../domain/pending-cancellation';
import { hasEnded, SUBSCRIPTION_STATUSES, BILLING_INTERVALS, PRICINGS } from '../domain/subscription-types';
import { taxChargedHere } from '../domain/tax';
import { listQuery } from '../schemas/list';
import { orNull } from '../schemas/or-null';
import { instantInput, timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { metadataInput, metadataSchema } from '../schemas/metadata';
import { moneySchema, toMoney } from '../schemas/money';
import { customerFilters, idFilter } from '../schemas/id-filter';
import { externalId, identifier, slug } from '../schemas/text';
import { capabilitiesSchema } from './capability-schema';
import { pendingApprovalSchema, toPendingApproval } from './pending-approval-resource';
import { MARKER } from './provider-work-columns';
import { scheduledChangeSchema, toScheduledChange } from './scheduled-change-resource';
import type { SubscriptionRow } from './subscription-store';
import { taxSnapshotSchema } from './transaction-resource';
import { toWaitingCommands, waitingCommandsSchema } from './waiting-commands';
import { waitingFor } from './waiting-for';
import { PROVIDERS } from '../domain/provider';
import { seatsInput } from '../schemas/seats';
import { namedPlanSchema } from '../schemas/plan';

/** A subscription as the API shows it. `price` is the current period's, per seat if `pricing` is `per_seat`. */
export const subscriptionSchema = z
  .object({
    id: z.string(),
    customerId: z.string(),
    externalId: z.string(),
    plan: namedPlanSchema.extend({ name: z.string() }),
    planGroupId: z.string(),
    provider: z.enum(PROVIDERS),
    status: z.enum(SUBSCRIPTION_STATUSES),
    seats: z.int(),
    price: moneySchema,
    currency: z.string(),
    interval: z.enum(BILLING_INTERVALS),
    pricing: z.enum(PRICINGS),
    billingAnchor: timeSchema,
    timeZone: z.string(),
    currentPeriodStart: timeSchema,
    currentPeriodEnd: timeSchema,
    trialEnd: timeSchema.nullable(),
    cancelAtPeriodEnd: z.boolean().meta({ description: 'Whether no period follows the current one.' }),
    cancelAt: timeSchema.nullable().meta({
      description:
        'When it ends: with its period, at a time within it, or (if set at the payment provider) after further periods. Null while it renews.',
    }),
    cancelledAt: timeSchema.nullable(),
    pastDueSince: timeSchema.nullable(),
    paymentDueAt: timeSchema
      .nullable()
      .meta({ description: 'When the earliest unpaid transaction makes it past due.' }),
    incompleteUntil: timeSchema.nullable().meta({ description: 'When an unpaid checkout expires.' }),
    scheduledChange: orNull(scheduledChangeSchema),
    pendingApproval: orNull(pendingApprovalSchema),
    tax: taxSnapshotSchema.meta({ description: 'The tax of the current period.' }),
    capabilities: capabilitiesSchema,
    waitingCommands: waitingCommandsSchema,
    metadata: metadataSchema,
    waitingFor: z.string().nullable().meta({ description: 'The next step, as a sentence.' }),
    connectionId: z.string().nullable().meta({ description: 'The provider connection that bills it.' }),
    providerReference: z
      .string()
      .nullable()
      .meta({ description: 'The payment provider’s id of the subscription.' }),
    version: z.int(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
    ...expandable,
  })
  .meta({ id: 'Subscription' });

/** The marker of provider A's synchronizer would take the place of a label with its name. */
const labelsInput = metadataInput.refine((labels) => !Object.hasOwn(labels, MARKER), {
  path: [MARKER],
  error: 'is reserved for the state of a scheduled change at provider A',
  params: { fix: 'Give it another name.' },
});

export const createSubscriptionInput = z
  .strictObject({
    customerId: identifier.optional(),
    externalId: externalId.optional(),
    planId: identifier.optional(),
    planSlug: slug.optional(),
    seats: seatsInput.default(1),
    anchor: instantInput.optional().meta({
      description:
        'Anchor of the billing periods: in the past, or at most one interval ahead; default: now. Ignored for a plan with a trial, whose billing begins at the trial’s end.',
    }),
    metadata: labelsInput.default({}),
  })
  .refine((input) => (input.customerId === undefined) !== (input.externalId === undefined), {
    path: ['customerId'],
    error: 'or externalId: send one of the two to name the customer',
    params: { fix: 'Send either customerId or externalId.' },
  })
  .refine((input) => (input.planId === undefined) !== (input.planSlug === undefined), {
    path: ['planId'],
    error: 'or planSlug: send one of the two to name the plan',
    params: { fix: 'Send either planId or planSlug.' },
  });

export const listSubscriptionsQuery = listQuery.extend({
  status: z.enum(SUBSCRIPTION_STATUSES).optional(),
  ...customerFilters,
  planId: idFilter('plan'),
  provider: z.enum(PROVIDERS).optional(),
  awaiting: z.enum(AWAITED).optional().meta({ description: 'What it is waiting for.' }),
  preparation: z
    .enum(['failed'])
    .optional()
    .meta({ description: 'Only those whose change could not be prepared at provider A for the renewal.' }),
  drift: z
    .enum(['found'])
    .optional()
    .meta({ description: 'Only those that differed from their provider when last compared.' }),
  renewsFrom: instantInput
    .optional()
    .meta({ description: 'Open ones whose current period ends at this time or later.' }),
  renewsTo: instantInput
    .optional()
    .meta({ description: 'Open ones whose current period ends before this time.' }),
});

export type SubscriptionResource = z.output<typeof subscriptionSchema>;

/** @param now the workspace's time, at which `waitingFor` and the capabilities are evaluated */
export function toSubscriptionResource(row: SubscriptionRow, now: Instant): SubscriptionResource {
  return {
    id: row.id,
    customerId: row.customerId,
    externalId: row.externalId,
    plan: { id: row.planId, slug: row.planSlug, name: row.planName },
    planGroupId: row.planGroupId,
    provider: row.provider,
    status: row.status,
    seats: row.seats,
    price: toMoney(row.unitAmount, row.currency),
    currency: row.currency,
    interval: row.interval,
    pricing: row.pricing,
    billingAnchor: toTime(row.billingAnchor),
    timeZone: row.timeZone,
    currentPeriodStart: toTime(row.currentPeriodStart),
    currentPeriodEnd: toTime(row.currentPeriodEnd),
    trialEnd: toTimeOrNull(row.trialEnd),
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    cancelAt: toTimeOrNull(hasEnded(row.status) ? null : endsAt(row)),
    cancelledAt: toTimeOrNull(row.cancelledAt),
    pastDueSince: toTimeOrNull(row.pastDueSince),
    paymentDueAt: toTimeOrNull(row.paymentDueAt),
    incompleteUntil: toTimeOrNull(row.incompleteUntil),
    scheduledChange: toScheduledChange(row),
    pendingApproval: toPendingApproval(row),
    tax: taxChargedHere(row.provider, row.tax),
    capabilities: capabilitiesOf(row, now),
    waitingCommands: toWaitingCommands(row, now),
    metadata: row.metadata,
    waitingFor: waitingFor(row, now),
    connectionId: row.connectionId,
    providerReference: row.providerReference,
    version: Number(row.version),
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}
