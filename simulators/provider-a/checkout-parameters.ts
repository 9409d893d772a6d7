import { z } from 'zod';
import { expand, list, metadata, text, whole } from './parameters';

const webAddress = z.string().regex(/^https?:\/\/\S+$/, 'Not a valid URL');

const lineItem = z.strictObject({
  price: text.optional(),
  price_data: z
    .strictObject({
      currency: text,
      product: text.optional(),
      product_data: z
        .strictObject({ name: text.max(250), description: text.optional(), metadata: metadata.optional() })
        .optional(),
      unit_amount: whole,
    })
    .optional(),
  quantity: whole.optional(),
});

export const sessionParameters = z.strictObject({
  cancel_url: webAddress.optional(),
  client_reference_id: z.string().max(200).optional(),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, 'Invalid currency')
    .optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  expand,
  expires_at: whole.optional(),
  line_items: list(lineItem),
  metadata: metadata.optional(),
  mode: z.enum(['payment', 'subscription']),
  payment_intent_data: z
    .strictObject({ description: text.optional(), metadata: metadata.optional() })
    .optional(),
  subscription_data: z
    .strictObject({
      description: text.optional(),
      metadata: metadata.optional(),
      // The original requires at least one day, and allows at most two years.
      trial_period_days: whole.pipe(z.number().min(1).max(730)).optional(),
    })
    .optional(),
  success_url: webAddress,
  ui_mode: z.literal('hosted_page').optional(),
});
export type SessionParameters = z.output<typeof sessionParameters>;
