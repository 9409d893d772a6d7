import { z } from 'zod';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import { booleanFilter } from '../schemas/list';
import { cursorSchema, takeSchema } from '../pagination/cursor';
import { instantInput, timeSchema, toTime } from '../schemas/instant';
import { usageSubject } from './series-resource';
import { entityInput } from '../usage/usage-question';
import type { UsageEventRow } from './usage-event-store';

/** By what a list or an export of uses is narrowed. */
const filters = {
  ...usageSubject,
  from: instantInput.optional().meta({ description: 'Only uses of then or later, by their `timestamp`.' }),
  to: instantInput.optional().meta({ description: 'Only uses of earlier than this, by their `timestamp`.' }),
  entity: entityInput.optional().meta({
    description: 'Only uses of this entity of the customer; needs `customer`.',
  }),
  late: booleanFilter.meta({
    description: 'Only uses that were reported after their usage period was closed, or only others.',
  }),
  reversed: booleanFilter.meta({
    description: 'Only uses of which something was taken back, or only others.',
  }),
};

/** Its uses are found by their customer. */
const ENTITY_NEEDS_CUSTOMER = {
  path: ['customer'],
  error: 'is needed with `entity`: an entity is one of a customer',
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
        'The `cursor` of the last line that arrived, with the same filters: goes on with the next one.',
    }),
  })
  .refine(isComplete, ENTITY_NEEDS_CUSTOMER);
export type UsageEventFilters = z.output<z.ZodObject<typeof filters>>;

const deductionSchema = z.object({
  from: z.enum(['quota', 'rollover', 'credits', 'overage']),
  quantity: z.number(),
  subscriptionId: z.string(),
  credits: z.number().optional(),
  grantId: z.string().optional(),
});

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
    late: z.boolean().meta({ description: 'Its usage period was closed when it was tracked.' }),
    entity: z.string().nullable().meta({ description: 'Which of the customer’s users or projects used it.' }),
    properties: z.record(z.string(), z.unknown()).nullable(),
    idempotencyKey: z.string(),
    deductions: z.array(deductionSchema).meta({ description: 'What it took, as the track answered it.' }),
    reversal: z
      .object({
        quantity: z.number(),
        reason: z.string(),
        reversedAt: timeSchema,
        actor: z.object({ operatorId: z.string().nullable(), apiKeyId: z.string().nullable() }),
      })
      .nullable()
      .meta({ description: 'What was taken back of it.' }),
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
    deductions: row.deductions.map(({ from, quantity, subscriptionId, credits, grantId }) => ({
      from,
      quantity: toNumber(quantity),
      subscriptionId,
      ...(credits === undefined ? {} : { credits: toNumber(credits) }),
      ...(grantId === undefined ? {} : { grantId }),
    })),
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
