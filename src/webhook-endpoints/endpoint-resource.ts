import { z } from 'zod';
import { WEBHOOK_TYPES, type WebhookType } from '../domain/webhook-types';
import type { Instant } from '../domain/instant';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { line, text } from '../schemas/text';

/** The longest address stored. */
export const MAX_URL_LENGTH = 2048;

const url = text({ min: 1, max: MAX_URL_LENGTH }).meta({
  description:
    'URL that messages are posted to: https, or http in a sandbox. Private, loopback and link-local addresses are refused.',
  example: 'https://app.example.com/webhooks/tollgate',
});
const description = line({ max: 500 });
const types = z
  .array(z.enum(WEBHOOK_TYPES))
  .min(1)
  .refine((chosen) => new Set(chosen).size === chosen.length, {
    error: 'names a type twice',
    params: { fix: 'Name each type once, or send null for all.' },
  })
  .nullable()
  .meta({
    description:
      'The message types sent to this endpoint; null for all, including types added by later versions.',
    example: ['subscription.created', 'subscription.cancelled'],
  });

export const createEndpointInput = z.strictObject({
  url,
  description: description.default(''),
  types: types.default(null),
});
export const changeEndpointInput = z.strictObject({
  url: url.optional(),
  description: description.optional(),
  types: types.optional(),
  enabled: z.boolean().optional().meta({
    description: '`false` cancels pending deliveries. `true` delivers events from then on.',
  }),
});
const DAY_HOURS = 24;
const MAX_OVERLAP_HOURS = 7 * DAY_HOURS;
export const rollSecretInput = z.strictObject({
  overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(DAY_HOURS).meta({
    description:
      'How long messages are also signed with the old secret. Secrets rolled earlier keep signing until their own overlap ends, up to four in all; 0 ends all of them immediately.',
    example: DAY_HOURS,
  }),
});

/** A webhook endpoint without its secret. */
export const webhookEndpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string(),
    // May include types of a later or an earlier version.
    types: z.array(z.string()).nullable().meta({ description: 'null for all.' }),
    enabled: z.boolean(),
    disabledAt: timeSchema.nullable(),
    disabledReason: z.enum(['operator', 'failing', 'gone']).nullable().meta({
      description: '`failing`: no attempt succeeded for a week. `gone`: the endpoint answered 410.',
    }),
    failingSince: timeSchema.nullable().meta({
      description:
        'Time of the first failed attempt since the last successful one; null if the last attempt succeeded.',
    }),
    secretLastFour: z.string(),
    previousSecretUntil: timeSchema.nullable().meta({
      description: 'Until when messages are also signed with an earlier secret.',
    }),
    createdAt: timeSchema.meta({
      description:
        'Real time, like all times of an endpoint and its deliveries, also in a sandbox whose clock was advanced.',
    }),
    updatedAt: timeSchema,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpointResource = z.output<typeof webhookEndpointSchema>;

/** An endpoint as returned by its creation or by a roll, the only times that `secret` is shown. */
export const createdWebhookEndpointSchema = webhookEndpointSchema
  .extend({
    secret: z.string().meta({ description: 'Verifies signatures (`whsec_…`). It is not shown again.' }),
  })
  .meta({ id: 'CreatedWebhookEndpoint' });
export type CreatedWebhookEndpoint = z.output<typeof createdWebhookEndpointSchema>;

export type CreateEndpointInput = z.output<typeof createEndpointInput>;
export type ChangeEndpointInput = z.output<typeof changeEndpointInput>;

/** An endpoint's row, without its secrets. */
export interface EndpointRow {
  id: string;
  url: string;
  description: string;
  eventTypes: WebhookType[] | null;
  disabledAt: Instant | null;
  disabledReason: 'operator' | 'failing' | 'gone' | null;
  failingSince: Instant | null;
  secretLastFour: string;
  previousSecretUntil: Instant | null;
  olderSecretsUntil: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
}

/** @param now real time */
export function toEndpointResource(row: EndpointRow, now: Instant): WebhookEndpointResource {
  const until = Math.max(row.previousSecretUntil ?? 0, row.olderSecretsUntil ?? 0);
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.eventTypes,
    enabled: row.disabledAt === null,
    disabledAt: toTimeOrNull(row.disabledAt),
    disabledReason: row.disabledReason,
    failingSince: toTimeOrNull(row.failingSince),
    secretLastFour: row.secretLastFour,
    previousSecretUntil: toTimeOrNull(until > now ? until : null),
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}
