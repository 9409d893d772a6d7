import { z } from 'zod';
import { expand, flag, list, metadata, text, whole } from './parameters';

const item = z.strictObject({
  id: text.optional(),
  price: text.optional(),
  quantity: whole.optional(),
  deleted: flag.optional(),
  metadata: metadata.optional(),
});
export type ItemParameters = z.output<typeof item>;

const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none']);

const cancellationDetails = z.strictObject({
  comment: z.string().max(500).optional(),
  feedback: z
    .enum([
      'customer_service',
      'low_quality',
      'missing_features',
      'other',
      'switched_service',
      'too_complex',
      'too_expensive',
      'unused',
    ])
    .optional(),
});

export const updateParameters = z.strictObject({
  billing_cycle_anchor: z.strictObject({ type: z.enum(['now', 'unchanged']) }).optional(),
  cancel_at: z.union([z.literal(''), whole, z.enum(['min_period_end', 'max_period_end'])]).optional(),
  cancel_at_period_end: flag.optional(),
  cancellation_details: cancellationDetails.optional(),
  collection_method: z.enum(['charge_automatically', 'send_invoice']).optional(),
  days_until_due: whole.optional(),
  discounts: z.union([z.literal(''), list(z.strictObject({ coupon: text }))]).optional(),
  expand,
  items: list(item).optional(),
  metadata: z.union([z.literal(''), metadata]).optional(),
  pause_collection: z
    .union([
      z.literal(''),
      z.strictObject({
        behavior: z.enum(['keep_as_draft', 'mark_uncollectible', 'void']),
        resumes_at: whole.optional(),
      }),
    ])
    .optional(),
  payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete']).optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: whole.optional(),
  trial_end: z.union([z.literal('now'), whole]).optional(),
  trial_settings: z
    .strictObject({
      end_behavior: z.strictObject({
        missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']),
      }),
    })
    .optional(),
});
export type UpdateParameters = z.output<typeof updateParameters>;

/** Since API version 2026-09-30. */
export const pauseParameters = z.strictObject({
  bill_for: z
    .strictObject({
      outstanding_usage_through: z.strictObject({ type: z.enum(['none', 'now']) }).optional(),
      unused_time_from: z
        .strictObject({ type: z.enum(['item_current_period_start', 'none', 'now']) })
        .optional(),
    })
    .optional(),
  expand,
  invoicing_behavior: z.literal('pending_invoice_item').optional(),
  type: z.literal('subscription').optional(),
});
export type PauseParameters = z.output<typeof pauseParameters>;

export const resumeParameters = z.strictObject({
  billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
  expand,
});

export const cancelParameters = z.strictObject({
  expand,
  invoice_now: flag.optional(),
  prorate: flag.optional(),
});

export const previewParameters = z.strictObject({
  customer: text.optional(),
  expand,
  subscription: text,
  subscription_details: z
    .strictObject({
      items: list(item).optional(),
      proration_behavior: prorationBehavior.optional(),
      proration_date: whole.optional(),
    })
    .optional(),
});
