import { z } from 'zod';

/** The bodies of provider C's answers: what is read of them. Further members pass; wrong types do not. */
const answerOf = <T extends z.ZodType>(data: T) => z.looseObject({ data });

const identifier = z.number().int().positive();
const domain = z.enum(['test', 'live']);
/** A whole number, which some answers write as text. */
const amount = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,18}$/)]);
const time = z.iso.datetime({ offset: true });

/** Of the list of plans, which is read only to see whether the key is accepted. */
export const plansAnswer = answerOf(z.array(z.unknown()));
/** A plan, as far as it is read; where it stands in something else it may have less. */
const plan = z.looseObject({
  plan_code: z.string(),
  amount: amount.optional().catch(undefined),
  currency: z.string().optional().catch(undefined),
  interval: z.string().optional().catch(undefined),
});
export type PlanData = z.infer<typeof plan>;
export const planAnswer = answerOf(plan.extend({ id: identifier.optional(), domain: domain.optional() }));

const invoice = z.looseObject({
  status: z.string(),
  paid: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
  invoice_code: z.string().nullish(),
  /** The number of what paid it. */
  transaction: z.unknown(),
  period_start: time.nullish(),
});

export const subscriptionAnswer = answerOf(
  z.looseObject({
    subscription_code: z.string().min(1),
    domain,
    status: z.string(),
    quantity: z.number().int().nonnegative().nullish(),
    next_payment_date: time.nullish(),
    /** What this subscription is charged, which its plan may not be any more. */
    amount: amount.nullish().catch(null),
    plan: plan.extend({ id: identifier.optional() }),
    customer: z.looseObject({ id: identifier.optional(), customer_code: z.string() }),
    // `{}` where there is none, in some answers.
    most_recent_invoice: z.union([invoice, z.looseObject({ status: z.undefined() })]).nullish(),
    updatedAt: time.nullish(),
    /** A secret that stops and starts the renewal: sent to the provider only, never logged or returned. */
    email_token: z.string().nullish(),
  }),
);
export type SubscriptionData = z.infer<typeof subscriptionAnswer>['data'];

/** A subscription in the list of a customer's. */
export const listedSubscription = z.looseObject({
  id: identifier,
  subscription_code: z.string().min(1),
  createdAt: time,
  plan: z.looseObject({ plan_code: z.string() }),
  customer: z.looseObject({ customer_code: z.string() }),
  authorization: z.looseObject({ authorization_code: z.string().optional() }).nullish(),
});
export type ListedSubscription = z.infer<typeof listedSubscription>;

/** `metadata` may be anything at all, and is not read. */
const transaction = z.looseObject({
  id: identifier,
  domain,
  status: z.string(),
  reference: z.string().min(1),
  amount,
  currency: z.string(),
  paid_at: time.nullish(),
});
export const transactionAnswer = answerOf(transaction);
export type TransactionData = z.infer<typeof transaction>;

/** A transaction and its result. `plan` is a code, and `""`, `{}` or null where there is none. */
export const purchase = transaction.extend({
  customer: z.looseObject({ id: identifier, customer_code: z.string().min(1) }),
  plan: z.union([z.string(), z.looseObject({ plan_code: z.string().optional() }), z.null()]).optional(),
  plan_object: z.looseObject({ id: identifier.optional(), plan_code: z.string().optional() }).nullish(),
  authorization: z.looseObject({ authorization_code: z.string().optional() }).nullish(),
});
export const purchaseAnswer = answerOf(purchase);
export type PurchaseData = z.infer<typeof purchase>;

export const initializeAnswer = answerOf(
  z.looseObject({ authorization_url: z.url({ protocol: /^https?$/ }), reference: z.string() }),
);

/** Of a change that answers with words only. */
export const wordsAnswer = z.looseObject({});

export const refund = z.looseObject({
  id: identifier,
  domain: domain.optional(),
  /** The transaction's id, or the transaction. */
  transaction: z.union([identifier, z.looseObject({ reference: z.string().min(1) })]),
  amount,
  currency: z.string(),
  status: z.string(),
  /** What we wrote with it; the only thing that is ours. */
  merchant_note: z.string().nullish(),
  createdAt: time.nullish(),
  refunded_at: time.nullish(),
  /** The settlement that bore it, where the provider says so. */
  settlement: z.union([identifier, z.looseObject({ id: identifier })]).nullish(),
});
export type RefundData = z.infer<typeof refund>;

export const refundAnswer = answerOf(refund);

/** `effective_amount` is what arrived, after what was kept for refunds; older answers have only `total_amount`. */
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

/** One page of a list, and how many there are. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.looseObject({
    data: z.array(item),
    meta: z.looseObject({ pageCount: z.number().int().nonnegative().optional() }).optional(),
  });

/** What its webhooks say of a dispute, and the list. */
export const listedDispute = z.looseObject({ id: identifier, createdAt: time.nullish() });
