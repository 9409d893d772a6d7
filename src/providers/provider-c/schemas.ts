import { z } from 'zod';

/** Bodies of provider C's answers, limited to the fields that are read. Additional members pass; wrong types do not. */
const answerOf = <T extends z.ZodType>(data: T) => z.looseObject({ data });

const identifier = z.number().int().positive();
const domain = z.enum(['test', 'live']);
/** A whole number, which some answers write as text. */
const amount = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,18}$/)]);
const time = z.iso.datetime({ offset: true });

/** The list of plans, read only to see whether the key is accepted. */
export const plansAnswer = answerOf(z.array(z.unknown()));
/** The fields read from a plan; nested in another object it may have fewer. */
const plan = z.looseObject({
  plan_code: z.string(),
  amount: amount.optional().catch(undefined),
  currency: z.string().optional().catch(undefined),
  interval: z.string().optional().catch(undefined),
});
export type PlanData = z.infer<typeof plan>;
export const planAnswer = answerOf(plan.extend({ id: identifier.optional(), domain: domain.optional() }));

/**
 * The provider's own description of its API leaves the type of this object open (`SubscriptionFetchResponse` in
 * https://github.com/PaystackOSS/openapi), so what it omits must not hide the subscription.
 */
const invoice = z.looseObject({
  status: z.string(),
  paid: z.unknown().optional(),
  invoice_code: z.string().nullish(),
  /** The number of the transaction that paid it, if there was one. */
  transaction: z.unknown().optional(),
  period_start: time.nullish(),
});

export const subscriptionAnswer = answerOf(
  z.looseObject({
    subscription_code: z.string().min(1),
    domain,
    status: z.string(),
    quantity: z.number().int().nonnegative().nullish(),
    next_payment_date: time.nullish(),
    /** The amount charged for this subscription, which may differ from its plan's current one. */
    amount: amount.nullish().catch(null),
    plan: plan.extend({ id: identifier.optional() }),
    customer: z.looseObject({ id: identifier.optional(), customer_code: z.string() }),
    // Some answers have `{}` if there is none.
    most_recent_invoice: z.union([invoice, z.looseObject({ status: z.undefined().optional() })]).nullish(),
    createdAt: time.nullish(),
    updatedAt: time.nullish(),
    cancelledAt: z.string().nullish().catch(null),
    /** A secret that stops and starts the renewal: sent to the provider only, never logged or returned. */
    email_token: z.string().nullish(),
  }),
);
export type SubscriptionData = z.infer<typeof subscriptionAnswer>['data'];

/** A subscription in a customer's list. */
export const listedSubscription = z.looseObject({
  id: identifier,
  subscription_code: z.string().min(1),
  createdAt: time,
  plan: z.looseObject({ plan_code: z.string() }),
  customer: z.looseObject({ customer_code: z.string() }),
  authorization: z.looseObject({ authorization_code: z.string().nullish() }).nullish(),
});
export type ListedSubscription = z.infer<typeof listedSubscription>;

/** `metadata` may be anything (`payment-origin.ts`). */
const transaction = z.looseObject({
  id: identifier,
  domain,
  status: z.string(),
  reference: z.string().min(1),
  amount,
  currency: z.string(),
  paid_at: time.nullish(),
  metadata: z.unknown().optional(),
});
export const transactionAnswer = answerOf(transaction);
export type TransactionData = z.infer<typeof transaction>;

/** A transaction and its result. `plan` may be anything (`payment-origin.ts`). */
export const purchase = transaction.extend({
  customer: z.looseObject({ id: identifier, customer_code: z.string().min(1) }),
  plan: z.unknown().optional(),
  plan_object: z.looseObject({ id: identifier.nullish(), plan_code: z.string().nullish() }).nullish(),
  authorization: z.looseObject({ authorization_code: z.string().nullish() }).nullish(),
});
export const purchaseAnswer = answerOf(purchase);
export type PurchaseData = z.infer<typeof purchase>;

export const initializeAnswer = answerOf(
  z.looseObject({ authorization_url: z.url({ protocol: /^https?$/ }), reference: z.string() }),
);

/** The answer to a change that returns only a message. */
export const wordsAnswer = z.looseObject({});

export const refund = z.looseObject({
  id: identifier,
  domain: domain.optional(),
  /** The transaction's id, or the transaction itself. */
  transaction: z.union([identifier, z.looseObject({ reference: z.string().min(1) })]),
  amount,
  currency: z.string(),
  status: z.string(),
  /** The note we wrote on it; the only field of ours. */
  merchant_note: z.string().nullish(),
  createdAt: time.nullish(),
  refunded_at: time.nullish(),
  /** The settlement that bore it, if the provider says so: null or `{}` if it does not. */
  settlement: z
    .union([identifier, z.looseObject({ id: identifier })])
    .nullish()
    .catch(null),
});
export type RefundData = z.infer<typeof refund>;

export const refundAnswer = answerOf(refund);

/** A refund in the list, before it is known whether it can be read. */
export const listedRefund = z.looseObject({ id: identifier });

/** `effective_amount` is what arrived, after deductions for refunds; older answers have only `total_amount`. */
export const settlement = z.looseObject({
  id: identifier,
  status: z.string(),
  currency: z.string(),
  total_amount: amount,
  effective_amount: amount.nullish(),
  total_fees: amount.nullish(),
  deductions: amount.nullish(),
  settlement_date: time.nullish(),
});
export type SettlementData = z.infer<typeof settlement>;

export const settledTransaction = z.looseObject({
  id: identifier,
  reference: z.string().min(1),
  amount,
  currency: z.string(),
  fees: amount.nullish(),
  paidAt: time.nullish(),
});
export type SettledTransaction = z.infer<typeof settledTransaction>;

/** One page of a list, with the number of pages. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.looseObject({
    data: z.array(item),
    meta: z.looseObject({ pageCount: z.number().int().nonnegative().nullish() }).nullish(),
  });

/** A dispute in the list; its other fields are those of the webhooks. */
export const listedDispute = z.looseObject({ id: identifier, createdAt: time.nullish() });
