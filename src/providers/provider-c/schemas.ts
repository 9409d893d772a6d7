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
export const planAnswer = answerOf(z.looseObject({ plan_code: z.string(), domain: domain.optional() }));

const invoice = z.looseObject({
  status: z.string(),
  paid: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
  period_start: time.nullish(),
});

export const subscriptionAnswer = answerOf(
  z.looseObject({
    subscription_code: z.string().min(1),
    domain,
    status: z.string(),
    quantity: z.number().int().nonnegative().nullish(),
    next_payment_date: time.nullish(),
    plan: z.looseObject({ plan_code: z.string() }),
    customer: z.looseObject({ customer_code: z.string() }),
    // `{}` where there is none, in some answers.
    most_recent_invoice: z.union([invoice, z.looseObject({ status: z.undefined() })]).nullish(),
    updatedAt: time.nullish(),
  }),
);
export type SubscriptionData = z.infer<typeof subscriptionAnswer>['data'];

/** `metadata` may be anything at all, and is not read. */
export const transactionAnswer = answerOf(
  z.looseObject({
    id: identifier,
    domain,
    status: z.string(),
    reference: z.string().min(1),
    amount,
    currency: z.string(),
    paid_at: time.nullish(),
  }),
);
export type TransactionData = z.infer<typeof transactionAnswer>['data'];

const refund = z.looseObject({
  id: identifier,
  domain: domain.optional(),
  /** The transaction's id, or the transaction. */
  transaction: z.union([identifier, z.looseObject({ reference: z.string().min(1) })]),
  amount,
  currency: z.string(),
  status: z.string(),
});
export type RefundData = z.infer<typeof refund>;

export const refundAnswer = answerOf(refund);
export const refundsAnswer = z.looseObject({
  data: z.array(refund),
  meta: z.looseObject({ pageCount: z.number().int().nonnegative().optional() }).optional(),
});
