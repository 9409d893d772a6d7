import { z } from 'zod';
import { checkoutSchema } from '../checkouts/checkout-resource';
import {
  WEBHOOK_RESOURCES,
  WEBHOOK_TYPES,
  webhookTypeOf,
  type WebhookData,
  type WebhookType,
} from '../domain/webhook-types';
import { developerEventSchema } from '../events/developer-event-resource';
import { operationSchema } from '../operations/operation-resource';
import { pageSchema } from '../pagination/page-schema';
import { paymentSchema } from '../payments/payment-resource';
import { refundSchema } from '../payments/refund-resource';
import { listQuery } from '../schemas/list';
import { orNull } from '../schemas/or-null';
import { timeSchema } from '../schemas/instant';
import { subscriptionSchema } from '../subscriptions/subscription-resource';
import { webhookEndpointSchema } from '../webhook-endpoints/endpoint-resource';

const GONE = 'Null if it was deleted or is larger than 256 KiB.';

/** Members of every message apart from its data. */
const envelope = {
  type: z.enum(WEBHOOK_TYPES),
  timestamp: timeSchema.meta({ description: 'When it happened, by the workspace’s time.' }),
  id: z.string().meta({ description: 'The `webhook-id`: the same at every attempt and every endpoint.' }),
  sequence: z.int().min(1).meta({
    description:
      'Sequence number of the messages about the resource. Ignore a message whose number is not higher than the last one you processed.',
  }),
  resource: z.object({ type: z.enum(WEBHOOK_RESOURCES), id: z.string() }),
};

/** The payload as sent. */
export const webhookPayloadSchema = z
  .object({
    ...envelope,
    data: z.unknown().meta({
      description: `The resource as the API returns it. For \`drift.found\`, \`usage.threshold_reached\` and \`credits.low\`: the developer event. ${GONE}`,
    }),
  })
  .meta({ id: 'WebhookPayload' });

/** A message as the API returns it. */
export const webhookMessageSchema = z
  .object({
    id: z.string(),
    type: z.enum(WEBHOOK_TYPES),
    createdAt: timeSchema.meta({ description: 'Real time, also in a sandbox whose clock was advanced.' }),
    payload: webhookPayloadSchema.meta({ description: 'The payload sent to each endpoint.' }),
  })
  .meta({ id: 'WebhookMessage' });

export type WebhookMessage = z.output<typeof webhookMessageSchema>;

export const webhookMessagePage = pageSchema(webhookMessageSchema).meta({ id: 'WebhookMessagePage' });

export const listWebhookMessagesQuery = listQuery.extend({
  type: z
    .enum(WEBHOOK_TYPES, { error: 'is not one of the types at /docs/webhooks' })
    .optional()
    .meta({ description: 'Only messages of this type.' }),
});

const dataSchemas = {
  subscription: subscriptionSchema,
  checkout: checkoutSchema,
  payment: paymentSchema,
  refund: refundSchema,
  operation: operationSchema,
  event: developerEventSchema,
  webhook_endpoint: webhookEndpointSchema,
} satisfies Record<WebhookData, z.ZodType>;

/** Returns the payload schema of one message type. */
export function payloadSchemaOf(type: WebhookType) {
  const { data, resource } = webhookTypeOf(type);
  return z.object({
    ...envelope,
    type: z.literal(type),
    resource: z.object({ type: z.literal(resource), id: z.string() }),
    data: orNull(dataSchemas[data]).meta({ description: GONE }),
  });
}
