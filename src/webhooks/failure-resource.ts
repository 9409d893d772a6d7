import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import { listQuery } from '../schemas/list';
import { identifier } from '../schemas/text';
import type { WebhookFailureRow, WebhookFailure } from './failure-store';
import { PAYMENT_PROVIDERS } from '../domain/provider';

const KINDS = ['signature', 'processing', 'unavailable'] as const satisfies readonly WebhookFailure['kind'][];

const kindSchema = z.enum(KINDS).meta({
  description:
    '`signature`: the signature is not valid for this environment; nothing is stored. `unavailable`: the signature could not be verified. `processing`: it was verified but could not be reconciled.',
});

/** Deliveries that were answered with an error. */
export const webhookFailureSchema = z
  .object({
    id: z.string(),
    connectionId: z.string(),
    provider: z.enum(PAYMENT_PROVIDERS),
    kind: kindSchema,
    reason: z.string().meta({ description: 'As a sentence; if several are counted, that of the first.' }),
    count: z
      .int()
      .meta({ description: 'Number of deliveries: above 1 if a minute’s flood is counted in one record.' }),
    firstAt: timeSchema,
    lastAt: timeSchema,
  })
  .meta({ id: 'WebhookFailure' });

export const listWebhookFailuresQuery = listQuery.extend({
  connectionId: identifier.optional(),
  kind: kindSchema.optional(),
});

export type WebhookFailureResource = z.output<typeof webhookFailureSchema>;

export function toWebhookFailureResource(row: WebhookFailureRow): WebhookFailureResource {
  const { id, connectionId, provider, kind, reason } = row;
  return {
    id,
    connectionId,
    provider,
    kind,
    reason,
    count: Number(row.count),
    firstAt: toTime(row.firstAt),
    lastAt: toTime(row.lastAt),
  };
}
