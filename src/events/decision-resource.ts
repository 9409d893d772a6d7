import { z } from 'zod';
import { ACCESS_RULES } from '../domain/access';
import { timeSchema } from '../schemas/instant';
import { toDeveloperEvent } from './developer-event-resource';
import type { DeveloperEventRow } from './developer-event-store';
import { namedPlanSchema } from '../schemas/plan';
import { ENFORCEMENTS } from '../domain/access-types';

const figure = z.number().nullable();
const text = z.string().nullable();

/** Why a check or track was decided as it was, with the figures of that moment. */
export const decisionSchema = z
  .object({
    id: z.string().meta({ example: 'dec_01jf2k7p3nfqvb9x4z6t8w2s5r' }),
    operation: z.enum(['check', 'track']),
    allowed: z.boolean(),
    rule: z.enum(ACCESS_RULES).nullable().meta({
      description:
        'The rule that decided. Null in decisions of older versions, which did not record it; so are the other nullable members.',
    }),
    message: z.string().meta({ description: 'The decision as a sentence.' }),
    customerId: z.string(),
    externalId: z.string(),
    feature: z.string(),
    quantity: z.number(),
    usage: z.number().meta({ description: 'Of a granted track after it, otherwise before.' }),
    quota: figure,
    remaining: figure,
    unlimited: z.boolean().nullable(),
    enforcement: z.enum(ENFORCEMENTS).nullable(),
    creditBalance: figure,
    reserved: figure.meta({ description: 'Units held by reservations.' }),
    rollover: figure.meta({ description: 'Units carried over from earlier usage periods.' }),
    overage: z.number(),
    period: z.object({ start: timeSchema, end: timeSchema.nullable() }).nullable(),
    plan: namedPlanSchema.nullable(),
    subscriptionId: text,
    requestId: z.string(),
    usageEventId: text.meta({ description: 'The usage event recorded by a granted track.' }),
    idempotencyKey: text.meta({ description: 'Of a track.' }),
    entity: z
      .object({ id: z.string(), usage: z.number(), quota: figure, remaining: figure, reserved: z.number() })
      .nullable()
      .meta({ description: 'The customer’s entity named in the request, and its usage.' }),
    reservationId: text.meta({
      description: 'The reservation made by the check, or confirmed by the track.',
    }),
    timestamp: timeSchema.nullable().meta({ description: 'When it was used, if the track states it.' }),
    source: z.string(),
    eventId: z.string().meta({ description: 'The developer event that holds the decision.' }),
    createdAt: timeSchema.meta({ description: 'Real time, also in a sandbox whose clock was advanced.' }),
    recordedAt: timeSchema.meta({ description: 'The workspace’s time, which determines period and quota.' }),
  })
  .meta({ id: 'Decision' });

export type Decision = z.output<typeof decisionSchema>;

/** Data written by `usageDeveloperEvent`. Members that earlier versions did not write are null. */
const dataSchema = decisionSchema
  .pick({ operation: true, customerId: true, externalId: true, feature: true, quantity: true })
  .extend({
    ...decisionSchema.pick({ usage: true, overage: true, requestId: true }).shape,
    decisionId: z.string(),
    eventId: text.default(null),
    idempotencyKey: text.default(null),
    subscriptionId: text.default(null),
    rule: decisionSchema.shape.rule.default(null),
    quota: figure.default(null),
    remaining: figure.default(null),
    unlimited: z.boolean().nullable().default(null),
    enforcement: decisionSchema.shape.enforcement.default(null),
    creditBalance: figure.default(null),
    reserved: figure.default(null),
    rollover: figure.default(null),
    entity: decisionSchema.shape.entity.default(null),
    reservationId: text.default(null),
    timestamp: decisionSchema.shape.timestamp.default(null),
    period: decisionSchema.shape.period.default(null),
    plan: decisionSchema.shape.plan.default(null),
  });

export function toDecision(row: DeveloperEventRow): Decision {
  const { id: eventId, status, message, source, createdAt, recordedAt } = toDeveloperEvent(row);
  const { decisionId: id, eventId: usageEventId, ...data } = dataSchema.parse(row.data);
  const allowed = status === 'OK';
  return { id, allowed, message, ...data, usageEventId, source, eventId, createdAt, recordedAt };
}
