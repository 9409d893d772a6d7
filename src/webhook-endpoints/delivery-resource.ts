import { z } from 'zod';
import type { Instant } from '../domain/instant';
import { listQuery } from '../schemas/list';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { identifier, idParams } from '../schemas/text';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

/** Path parameters of one delivery: an endpoint and a message. */
export const deliveryParams = idParams.extend({ messageId: identifier });
export const listDeliveriesQuery = listQuery.extend({
  status: z.enum(DELIVERY_STATUSES).optional().meta({ description: 'Only deliveries with this status.' }),
});
export type ListDeliveriesQuery = z.output<typeof listDeliveriesQuery>;

const attemptSchema = z
  .object({
    id: z.string(),
    attemptedAt: timeSchema,
    durationMs: z.int(),
    statusCode: z.int().nullable().meta({ description: 'null if no response arrived.' }),
    error: z.string().nullable().meta({ description: 'Why no response arrived, or why it was not read.' }),
    answer: z.string().nullable().meta({ description: 'The first 1 KB of the response, as text.' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const webhookDeliverySchema = z
  .object({
    messageId: z.string().meta({ description: 'The `webhook-id` header: the same at each attempt.' }),
    endpointId: z.string(),
    type: z.string(),
    resource: z.object({ type: z.string(), id: z.string() }),
    sequence: z.int(),
    status: z.enum(DELIVERY_STATUSES),
    attemptCount: z.int().meta({ description: 'Attempts since it was first sent, or last sent again.' }),
    nextAttemptAt: timeSchema.nullable().meta({
      description: 'null once it has ended. During an attempt: when the attempt is considered lost.',
    }),
    createdAt: timeSchema.meta({ description: 'Real time, also in a sandbox whose clock was advanced.' }),
    endedAt: timeSchema.nullable(),
    attempts: z.array(attemptSchema).meta({ description: 'The latest 20, newest first.' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDeliveryResource = z.output<typeof webhookDeliverySchema>;

export interface DeliveryRow {
  /** The message's id. */
  id: string;
  endpointId: string;
  type: string;
  resourceKind: string;
  resourceId: string;
  sequence: string;
  status: (typeof DELIVERY_STATUSES)[number];
  attempts: number;
  nextAttemptAt: Instant | null;
  createdAt: Instant;
  endedAt: Instant | null;
}

export interface AttemptRow {
  id: string;
  messageId: string;
  attemptedAt: Instant;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  answer: string | null;
}

export function toDeliveryResource(
  row: DeliveryRow,
  attempts: readonly AttemptRow[],
): WebhookDeliveryResource {
  return {
    messageId: row.id,
    endpointId: row.endpointId,
    type: row.type,
    resource: { type: row.resourceKind, id: row.resourceId },
    sequence: Number(row.sequence),
    status: row.status,
    attemptCount: row.attempts,
    nextAttemptAt: toTimeOrNull(row.nextAttemptAt),
    createdAt: toTime(row.createdAt),
    endedAt: toTimeOrNull(row.endedAt),
    attempts: attempts.map(({ id, attemptedAt, durationMs, statusCode, error, answer }) => ({
      id,
      attemptedAt: toTime(attemptedAt),
      durationMs,
      statusCode,
      error,
      answer,
    })),
  };
}
