import { z } from 'zod';

/**
 * The fields read from provider A's objects, in the shapes of all API versions: an endpoint's events are rendered at
 * the endpoint's version, not at the client's. Unknown fields pass; a wrong type is an error.
 */
const id = z.string().min(1);
/** A reference, or the object itself if it was expanded. */
export const reference = z
  .union([id, z.looseObject({ id })])
  .nullish()
  .transform((value) => (typeof value === 'object' && value !== null ? value.id : (value ?? null)));
const seconds = z
  .int()
  .nullish()
  .transform((value) => (value === undefined || value === null ? null : value * 1000));
const currency = z.string().min(3).max(4);

/** The billing interval of a price; null for a price that is paid once. */
const recurring = z
  .looseObject({
    interval: z.string(),
    interval_count: z.int().nullish(),
    usage_type: z.string().nullish(),
  })
  .nullish();
/** Decimal text. The client turns it into objects of an unexported class, which JSON serializes as text again. */
const decimal = z
  .unknown()
  .optional()
  .transform((value) => {
    const text: unknown = typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
    return typeof text === 'string' || typeof text === 'number' ? String(text) : null;
  });
export const priceWire = z.looseObject({
  id,
  active: z.boolean().nullish(),
  billing_scheme: z.string().nullish(),
  currency: currency.nullish(),
  custom_unit_amount: z.looseObject({}).nullish(),
  product: reference,
  recurring,
  tax_behavior: z.string().nullish(),
  transform_quantity: z.looseObject({}).nullish(),
  unit_amount: z.int().nullish(),
  unit_amount_decimal: decimal,
});
export type PriceWire = z.output<typeof priceWire>;

export const itemWire = z.looseObject({
  id: id.nullish(),
  created: seconds,
  price: priceWire.nullish(),
  quantity: z.int().nullish(),
  current_period_start: seconds,
  current_period_end: seconds,
});

/** The latest invoice, if it was requested with the subscription. */
const latestInvoice = z.looseObject({
  id,
  auto_advance: z.boolean().nullish(),
  automatically_finalizes_at: seconds,
  billing_reason: z.string().nullish(),
  collection_method: z.string().nullish(),
  due_date: seconds,
  next_payment_attempt: seconds,
  status: z.string().nullish(),
});

export const subscriptionWire = z.looseObject({
  id,
  status: z.string(),
  customer: reference,
  cancel_at: seconds,
  cancel_at_period_end: z.boolean().nullish(),
  canceled_at: seconds,
  collection_method: z.string().nullish(),
  ended_at: seconds,
  current_period_start: seconds,
  current_period_end: seconds,
  items: z.looseObject({ data: z.array(itemWire), has_more: z.boolean().nullish() }),
  latest_invoice: z.union([id, latestInvoice]).nullish(),
  schedule: reference,
  trial_end: seconds,
  discount: reference,
  discounts: z.array(reference).nullish(),
  pause_collection: z.looseObject({ behavior: z.string().nullish() }).nullish(),
  /** Since API version 2026-09-30: why it is paused. */
  status_details: z
    .looseObject({
      paused: z
        .looseObject({ subscription: z.looseObject({ type: z.string().nullish() }).nullish() })
        .nullish(),
    })
    .nullish(),
});

/** When an invoice, or one of its payments, was paid. */
export const paidAtWire = z.looseObject({ paid_at: seconds }).nullish();

/** What a payment received in all, if the invoice was requested with it: it may pay several invoices. */
const receivedBy = z.looseObject({ id, amount_received: z.int().nullish() });

export const invoicePaymentWire = z.looseObject({
  amount_paid: z.int().nullish(),
  is_default: z.boolean().nullish(),
  status: z.string().nullish(),
  status_transitions: paidAtWire,
  payment: z
    .looseObject({
      payment_intent: z.union([id, receivedBy]).nullish(),
      payment_record: reference,
      charge: reference,
    })
    .transform(({ payment_intent: intent, ...others }) => ({
      ...others,
      payment_intent: typeof intent === 'object' ? (intent?.id ?? null) : (intent ?? null),
      received: typeof intent === 'object' ? (intent?.amount_received ?? null) : null,
    }))
    .nullish(),
});

export const invoiceWire = z.looseObject({
  id,
  status: z.string().nullish(),
  /** Since API version 2026-09-30: why it is uncollectible. */
  status_details: z
    .looseObject({ uncollectible: z.looseObject({ reason: z.string().nullish() }).nullish() })
    .nullish(),
  status_transitions: paidAtWire,
  amount_due: z.int(),
  amount_paid: z.int(),
  attempted: z.boolean().nullish(),
  billing_reason: z.string().nullish(),
  collection_method: z.string().nullish(),
  created: seconds,
  currency,
  customer: reference,
  subscription: reference,
  payment_intent: reference,
  charge: reference,
  parent: z
    .looseObject({ subscription_details: z.looseObject({ subscription: reference }).nullish() })
    .nullish(),
  payments: z.looseObject({ data: z.array(invoicePaymentWire), has_more: z.boolean().nullish() }).nullish(),
});

export const paymentIntentWire = z.looseObject({
  id,
  amount: z.int(),
  amount_received: z.int().nullish(),
  created: seconds,
  currency,
  customer: reference,
  invoice: reference,
  latest_charge: reference,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  status: z.string(),
});

export const chargeWire = z.looseObject({
  id,
  amount: z.int(),
  amount_captured: z.int().nullish(),
  amount_refunded: z.int(),
  created: seconds,
  currency,
  customer: reference,
  disputed: z.boolean().nullish(),
  invoice: reference,
  payment_intent: reference,
  status: z.string(),
});

export const refundWire = z.looseObject({
  id,
  amount: z.int(),
  charge: reference,
  created: seconds,
  currency,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  payment_intent: reference,
  /** Since API version 2025-04-30. */
  pending_reason: z.string().nullish(),
  status: z.string().nullish(),
});

/** A charge that was requested with its refunds, of which it contains the first page. */
export const refundedChargeWire = chargeWire.extend({
  refunds: z
    .looseObject({ data: z.array(refundWire), has_more: z.boolean() })
    .nullish()
    .transform((list) => list ?? null),
});

export const checkoutWire = z.looseObject({
  id,
  amount_total: z.int().nullish(),
  created: seconds,
  currency: currency.nullish(),
  customer: reference,
  invoice: reference,
  payment_intent: reference,
  payment_status: z.string().nullish(),
  status: z.string().nullish(),
  subscription: reference,
});

export const disputeWire = z.looseObject({
  id,
  charge: reference,
  created: seconds,
  payment_intent: reference,
});

export const payoutWire = z.looseObject({
  id,
  amount: z.int(),
  arrival_date: seconds,
  automatic: z.boolean().nullish(),
  created: seconds,
  currency,
  reconciliation_status: z.string().nullish(),
  status: z.string(),
});

export const balanceTransactionWire = z.looseObject({
  id,
  amount: z.int(),
  created: seconds,
  fee: z.int(),
  source: reference,
  type: z.string(),
});

export const eventWire = z.looseObject({
  id,
  object: z.enum(['event', 'v2.core.event']),
  type: z.string().min(1),
  created: z.union([
    z.int().transform((value) => value * 1000),
    z.iso.datetime({ offset: true }).transform(Date.parse),
  ]),
  livemode: z.boolean().nullish(),
  /** Only present on events caused by a connected account of a platform. */
  account: z.string().nullish().catch(null),
  data: z
    .looseObject({
      object: z.looseObject({ id: id.nullish(), object: z.string() }).nullish(),
      previous_attributes: z.looseObject({}).nullish(),
    })
    .nullish(),
});
export type EventWire = z.output<typeof eventWire>;
