import { z } from 'zod';

const applicationContext = z.strictObject({
  return_url: z.url().optional(),
  cancel_url: z.url().optional(),
  brand_name: z.string().max(127).optional(),
  locale: z.string().max(10).optional(),
  shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
  user_action: z.enum(['CONTINUE', 'SUBSCRIBE_NOW']).optional(),
});

/** Sent as a string. */
const quantity = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .optional();

export const createRequest = z.strictObject({
  plan_id: z.string().min(3).max(50),
  quantity,
  custom_id: z.string().min(1).max(127).optional(),
  start_time: z.never().optional(),
  subscriber: z
    .strictObject({
      name: z.strictObject({ given_name: z.string().optional(), surname: z.string().optional() }).optional(),
      email_address: z.email().optional(),
    })
    .optional(),
  application_context: applicationContext.optional(),
});

export const reviseRequest = z.strictObject({
  plan_id: z.string().min(3).max(50).optional(),
  quantity,
  application_context: applicationContext.optional(),
});

/** The body of a cancellation or a suspension. */
export const withReason = z.strictObject({ reason: z.string().min(1).max(128) });

/** The body of a charge of what is owed. */
export const captureRequest = z.strictObject({
  note: z.string().min(1).max(128),
  capture_type: z.literal('OUTSTANDING_BALANCE'),
  amount: z.strictObject({ value: z.string().max(32), currency_code: z.string().length(3) }),
});

/** A change of a subscription by its merchant: only of what is outstanding. */
export const patchRequest = z.tuple([
  z.strictObject({
    op: z.literal('replace'),
    path: z.literal('/billing_info/outstanding_balance'),
    value: z.strictObject({
      value: z.string().max(32),
      currency_code: z.string().length(3),
    }),
  }),
]);

/** What a subscription shows in addition. */
export const subscriptionQuery = z.strictObject({ fields: z.literal('last_failed_payment').optional() });

export const activateRequest = z.strictObject({ reason: z.string().min(1).max(128).optional() });
