import { z } from 'zod';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import { booleanFilter } from '../schemas/list';
import { cursorSchema, takeSchema } from '../pagination/page-schema';
import { instantInput, timeSchema, toTime } from '../schemas/instant';
import { deductionSchema, toDeductionResource } from '../usage/deduction-resource';
import { entityInput } from '../usage/usage-question';
import { usageSubject } from './series-resource';
import type { UsageEventRow } from './usage-event-store';

/** Filters of a list or an export of uses. */
const filters = {
  ...usageSubject,
  from: instantInput
    .optional()
    .meta({ description: 'Only usage whose `timestamp` is at this time or later.' }),
  to: instantInput.optional().meta({ description: 'Only usage whose `timestamp` is before this time.' }),
  entity: entityInput.optional().meta({
    description: 'Only usage of this entity of the customer; requires `customer`.',
  }),
  late: booleanFilter.meta({
    description: 'Only usage reported after its usage period was closed, or only the rest.',
  }),
  reversed: booleanFilter.meta({
    description: 'Only usage events with a reversal, or only the rest.',
  }),
};

/** The uses of an entity are found by their customer. */
const ENTITY_NEEDS_CUSTOMER = {
  path: ['customer'],
  error: 'is needed with `entity`: an entity is one of a customer',
  params: { fix: 'Send the external id of the customer too, or leave `entity` out.' },
};
const isComplete = (query: { customer?: string | undefined; entity?: string | undefined }): boolean =>
  query.entity === undefined || query.customer !== undefined;

export const listUsageEventsQuery = z
  .strictObject({ ...filters, take: takeSchema, cursor: cursorSchema })
  .refine(isComplete, ENTITY_NEEDS_CUSTOMER);

export const exportUsageEventsQuery = z
  .strictObject({
    format: z.enum(['ndjson', 'csv']).meta({ example: 'ndjson' }),
    ...filters,
    after: z.string().optional().meta({
      description:
        'The `cursor` of the last line received, with the same filters: continues with the next one.',
    }),
  })
  .refine(isComplete, ENTITY_NEEDS_CUSTOMER);
export type UsageEventFilters = z.output<z.ZodObject<typeof filters>>;

/** A recorded use as the API shows it. */
export const usageEventSchema = z
  .object({
    id: z.string(),
    externalId: z.string().meta({ description: 'The customer’s.' }),
    customerId: z.string(),
    feature: z.string(),
    quantity: z.number().meta({ description: 'Units, as they were tracked.' }),
    source: z.string(),
    timestamp: timeSchema.meta({ description: 'When it was used.' }),
    recordedAt: timeSchema.meta({ description: 'When it was tracked.' }),
    late: z.boolean().meta({ description: 'Whether its usage period was closed when it was tracked.' }),
    entity: z.string().nullable().meta({ description: 'The customer’s entity that used it.' }),
    properties: z.record(z.string(), z.unknown()).nullable(),
    idempotencyKey: z.string(),
    deductions: z
      .array(deductionSchema)
      .meta({ description: 'What it deducted, as in the answer of the track.' }),
    reversal: z
      .object({
        quantity: z.number(),
        reason: z.string(),
        reversedAt: timeSchema,
        actor: z.object({ operatorId: z.string().nullable(), apiKeyId: z.string().nullable() }),
      })
      .nullable()
      .meta({ description: 'Its reversals.' }),
  })
  .meta({ id: 'UsageEvent' });
export type UsageEventResource = z.output<typeof usageEventSchema>;

const toNumber = (decimal: string): number => decimalToNumber(parseDecimal(decimal));

export function toUsageEventResource(row: UsageEventRow): UsageEventResource {
  const { reversal } = row;
  return {
    id: row.id,
    externalId: row.externalId,
    customerId: row.customerId,
    feature: row.feature,
    quantity: toNumber(row.quantity),
    source: row.source,
    timestamp: toTime(row.at),
    recordedAt: toTime(row.recordedAt),
    late: row.late,
    entity: row.entity,
    properties: row.properties,
    idempotencyKey: row.idempotencyKey,
    deductions: row.deductions.map(toDeductionResource),
    reversal:
      reversal === null
        ? null
        : {
            quantity: toNumber(reversal.quantity),
            reason: reversal.reason,
            reversedAt: toTime(Date.parse(reversal.reversedAt)),
            actor: reversal.actor,
          },
  };
}
