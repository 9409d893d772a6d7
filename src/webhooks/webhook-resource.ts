import { z } from 'zod';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { listQuery } from '../schemas/list';
import { identifier } from '../schemas/text';
import type { WebhookRow } from './webhook-store';
import { WEBHOOK_STATUSES } from './reconcile/webhook-result';
import { PAYMENT_PROVIDERS } from '../domain/provider';

const statusSchema = z.enum(WEBHOOK_STATUSES).meta({
  description:
    '`applied`: reconciled. `ignored`: no effect. `unmatched`: stored until the object it refers to is known. `failed`: can be replayed.',
});

const changeSchema = z
  .object({
    target: z.string().meta({ description: 'The id of the record.' }),
    field: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
  })
  .meta({ id: 'WebhookChange' });

const reasonSchema = z
  .string()
  .nullable()
  .meta({ description: 'Why it was not applied, or only in part; as a sentence.' });

/** A webhook as the console shows it, without its body, which may hold personal data. */
export const webhookSchema = z
  .object({
    id: z.string(),
    provider: z.enum(PAYMENT_PROVIDERS),
    connectionId: z.string(),
    eventType: z.string().meta({ description: 'The provider’s type of the event.' }),
    status: statusSchema,
    verified: z.literal(true).meta({ description: 'Always verified: an unverified webhook is not stored.' }),
    matched: z.boolean().meta({ description: 'Whether the object it refers to is known here.' }),
    applied: z.boolean(),
    reason: reasonSchema,
    changes: z.array(changeSchema),
    deliveries: z.int().meta({ description: 'Number of deliveries.' }),
    occurredAt: timeSchema.nullable().meta({ description: 'By the provider’s clock.' }),
    receivedAt: timeSchema,
    processedAt: timeSchema.nullable(),
    erasedAt: timeSchema.nullable().meta({
      description: 'When its body was erased together with its customer; it can no longer be replayed.',
    }),
  })
  .meta({ id: 'Webhook' });

export const listWebhooksQuery = listQuery.extend({
  provider: z.enum(PAYMENT_PROVIDERS).optional(),
  status: z.enum(WEBHOOK_STATUSES).optional(),
  connectionId: identifier.optional(),
});

export const replaySchema = z
  .object({
    eventId: z.string(),
    dryRun: z.boolean(),
    status: statusSchema,
    reason: reasonSchema,
    changes: z
      .array(changeSchema)
      .meta({ description: 'What it changed; in a dry run, what it would change.' }),
  })
  .meta({ id: 'WebhookReplay' });

export const receivedSchema = z
  .object({
    received: z.literal(true),
    eventId: z.string(),
    duplicate: z.literal(true).optional().meta({ description: 'It was received before.' }),
  })
  .meta({ id: 'WebhookReceived' });

export type WebhookResource = z.output<typeof webhookSchema>;

export function toWebhookResource(row: WebhookRow): WebhookResource {
  const { id, provider, connectionId, eventType, status, reason, changes, deliveries } = row;
  return {
    id,
    provider,
    connectionId,
    eventType,
    status,
    verified: true,
    matched: status === 'applied',
    applied: status === 'applied',
    reason,
    changes,
    deliveries,
    occurredAt: toTimeOrNull(row.occurredAt),
    receivedAt: toTime(row.receivedAt),
    processedAt: toTimeOrNull(row.processedAt),
    erasedAt: toTimeOrNull(row.erasedAt),
  };
}
