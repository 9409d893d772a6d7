import { z } from 'zod';
import type { Instant } from '../domain/instant';
import { instantInput, timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { identifier, idParams } from '../schemas/text';

export const resendParams = idParams.extend({ resendId: identifier });
export const resendInput = z.strictObject({
  since: instantInput.meta({
    description:
      'Messages created (`createdAt`) at this time or later, in real time also in a sandbox whose clock was advanced. They are kept for 30 days.',
  }),
  undeliveredOnly: z.boolean().default(false).meta({
    description:
      'Only messages that this endpoint has not received: failed, cancelled, waiting for a retry, or never sent to it.',
  }),
});
export type ResendInput = z.output<typeof resendInput>;

export const webhookResendSchema = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    since: timeSchema,
    until: timeSchema.meta({ description: 'Messages created later are delivered anyway.' }),
    undeliveredOnly: z.boolean(),
    resent: z.int().meta({ description: 'Messages queued so far.' }),
    createdAt: timeSchema.meta({ description: 'Real time, also in a sandbox whose clock was advanced.' }),
    endedAt: timeSchema.nullable().meta({ description: 'When the last one was queued; null while it runs.' }),
  })
  .meta({ id: 'WebhookResend' });
export type WebhookResendResource = z.output<typeof webhookResendSchema>;

export interface ResendRow {
  id: string;
  endpointId: string;
  since: Instant;
  until: Instant;
  undeliveredOnly: boolean;
  /** The last message processed, with its time as Postgres writes it; null before the first. */
  afterCreated: string | null;
  afterMessage: string | null;
  resent: number;
  createdAt: Instant;
  endedAt: Instant | null;
}

export function toResendResource(row: ResendRow): WebhookResendResource {
  return {
    id: row.id,
    endpointId: row.endpointId,
    since: toTime(row.since),
    until: toTime(row.until),
    undeliveredOnly: row.undeliveredOnly,
    resent: row.resent,
    createdAt: toTime(row.createdAt),
    endedAt: toTimeOrNull(row.endedAt),
  };
}
