import { z } from 'zod';
import { listQuery } from '../schemas/list';
import { alertPercents } from '../schemas/alert-percents';
import { timeSchema, toTime } from '../schemas/instant';
import { metadataInput, metadataSchema } from '../schemas/metadata';
import { displayName, emailAddress, externalId, line, newExternalId } from '../schemas/text';
import type { CustomerRow } from './customer-store';
import { erasureIdOf } from './erasure-id';

const usageAlertPercents = alertPercents.nullable().meta({
  description:
    'Percentages of each of its quotas that trigger `USAGE_THRESHOLD_REACHED`; null: those of the entitlement or the workspace.',
});

/** A customer as the API shows it. */
export const customerSchema = z
  .object({
    id: z.string(),
    externalId: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    metadata: metadataSchema,
    usageAlertPercents,
    createdAt: timeSchema.meta({
      description: 'The workspace’s time, like an event’s `recordedAt`: in a sandbox its clock may be ahead.',
    }),
    updatedAt: timeSchema.meta({ description: 'The workspace’s time.' }),
    erasureId: z.string().nullable().meta({
      description:
        'For an erased customer: the erasure, whose progress `GET …/customer-erasures/{id}` returns.',
    }),
  })
  .meta({ id: 'Customer' });

/** A customer's balance of one metered feature: the same figures as in a check's answer. */
export const balanceSchema = z
  .object({
    feature: z.string().meta({ description: 'The feature’s key.' }),
    usage: z.number(),
    quota: z.number().nullable(),
    remaining: z.number().nullable(),
    unlimited: z.boolean(),
    period: z
      .object({ start: timeSchema, end: timeSchema.nullable() })
      .nullable()
      .meta({ description: 'null if no subscription grants the feature now.' }),
  })
  .meta({ id: 'Balance' });

const metadata = metadataInput.nullable().optional().meta({
  description:
    'Labels of your own. Only `country` has a meaning: its two letters (ISO 3166-1) select the tax rates of the settings.',
});
const described = {
  name: displayName.nullable().optional(),
  email: emailAddress.nullable().optional(),
  usageAlertPercents: usageAlertPercents.optional(),
};

/** Omitted members are unchanged; null clears. Metadata that is sent replaces the stored object. */
export const customerInput = z.strictObject({ ...described, metadata });
export const createCustomerInput = z.strictObject({ externalId: newExternalId, ...described, metadata });
export const listCustomersQuery = listQuery.extend({
  search: line({ min: 1, max: 255 })
    .optional()
    .meta({ description: 'The beginning of the external id, the name or the e-mail address.' }),
});
export const externalIdParams = z.strictObject({ externalId });
export const newExternalIdParams = z.strictObject({ externalId: newExternalId });

export type CustomerInput = z.output<typeof customerInput>;
export type CustomerResource = z.output<typeof customerSchema>;
export type Balance = z.output<typeof balanceSchema>;

export function toCustomerResource(row: CustomerRow): CustomerResource {
  return {
    id: row.id,
    externalId: row.externalId,
    name: row.name,
    email: row.email,
    metadata: row.metadata,
    usageAlertPercents: row.usageAlertPercents,
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
    erasureId: row.erasedAt === null ? null : erasureIdOf(row.id),
  };
}
