import { z } from 'zod';
import { AWAITED } from '../domain/awaited';
import { PAYMENT_STATUSES } from '../domain/payment';
import { PORTAL_PARTS } from '../domain/portal';
import { SUBSCRIPTION_STATUSES, BILLING_INTERVALS, PRICINGS } from '../domain/subscription-types';
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../domain/transaction';
import { timeSchema } from '../schemas/instant';
import { moneySchema } from '../schemas/money';
import { capabilitiesSchema } from '../subscriptions/capability-schema';

const colours = z.object({ accent: z.string(), onAccent: z.string() });

/** Upcoming plan and seats. */
const termsSchema = z.object({ plan: z.string(), seats: z.int() });

const offeredPlanSchema = z.object({
  slug: z.string(),
  name: z.string(),
  price: moneySchema,
  interval: z.enum(BILLING_INTERVALS),
  pricing: z.enum(PRICINGS),
});

/** A subscription as shown to its customer, without ids of a provider or an operator. */
const portalSubscriptionSchema = z.object({
  id: z.string(),
  plan: z.object({ slug: z.string(), name: z.string() }),
  status: z.enum(SUBSCRIPTION_STATUSES),
  seats: z.int(),
  pricing: z.enum(PRICINGS),
  interval: z.enum(BILLING_INTERVALS),
  price: moneySchema.meta({ description: 'Of a seat, where `pricing` is `per_seat`.' }),
  total: moneySchema.meta({ description: 'Of a period, before tax that is added.' }),
  taxAdded: z.boolean().meta({ description: 'Whether tax is added to the price.' }),
  atProvider: z.boolean().meta({ description: 'Whether a payment provider collects.' }),
  collectsAgain: z.boolean().meta({
    description:
      'Whether the payment provider tries to collect an overdue payment again before the next renewal.',
  }),
  currentPeriodEnd: timeSchema,
  endedAt: timeSchema.nullable(),
  paymentDueAt: timeSchema.nullable(),
  waitsFor: z.enum(AWAITED).nullable(),
  waitsUntil: timeSchema.nullable().meta({ description: 'When that comes, or is given up.' }),
  endsAt: timeSchema.nullable().meta({ description: 'When it ends automatically; null if no end is set.' }),
  accessDenied: z
    .boolean()
    .meta({ description: 'Whether there is no access until what is overdue is paid.' }),
  accessUntil: timeSchema
    .nullable()
    .meta({ description: 'Until when there is access while it is past due.' }),
  paidUntil: timeSchema
    .nullable()
    .meta({ description: 'Until when it is paid while payments are suspended at the provider.' }),
  scheduledChange: termsSchema.extend({ at: timeSchema }).nullable(),
  pendingApproval: termsSchema
    .extend({ approvalUrl: z.string().nullable(), expiresAt: timeSchema })
    .nullable(),
  mayWithdraw: z
    .boolean()
    .meta({ description: 'Whether what is planned, or asked for, is taken back here.' }),
  withdrawReason: z.string().nullable().meta({ description: 'Why it cannot be taken back now.' }),
  capabilities: capabilitiesSchema,
  plans: z.array(offeredPlanSchema).meta({ description: 'What it may be changed to.' }),
  payUrl: z.string().nullable().meta({ description: 'Where what is open is paid.' }),
});

const usageSchema = z.object({
  feature: z.string(),
  usage: z.number(),
  quota: z.number().nullable(),
  remaining: z.number().nullable(),
  unlimited: z.boolean(),
  resetsAt: timeSchema
    .nullable()
    .meta({ description: 'Null if it never does, or the subscription ends before.' }),
});

const transactionSchema = z.object({
  id: z.string(),
  kind: z.enum(TRANSACTION_KINDS),
  status: z.enum(TRANSACTION_STATUSES),
  total: moneySchema,
  taxAmount: moneySchema,
  open: moneySchema,
  lines: z.array(z.object({ description: z.string(), amount: moneySchema })),
  dueAt: timeSchema,
  createdAt: timeSchema,
});

const paymentSchema = z.object({
  id: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  amount: moneySchema,
  refunded: moneySchema.meta({ description: 'Paid back to the customer.' }),
  beingRefunded: moneySchema.meta({ description: 'Refunds that have not arrived yet and may still fail.' }),
  receivedAt: timeSchema,
});

/** A payment due at a provider that belongs to no subscription. */
const openPaymentSchema = z.object({
  id: z.string(),
  description: z.string(),
  amount: moneySchema,
  url: z.string(),
  expiresAt: timeSchema,
});

/** Everything the page shows: read as a whole, and polled while the page is open. */
export const portalViewSchema = z.object({
  brand: z.object({
    name: z.string(),
    logo: z.string().nullable().meta({ description: 'Its path on this host.' }),
    light: colours,
    dark: colours,
  }),
  customer: z.object({
    key: z.string().meta({ description: 'The same as long as the page is of the same customer.' }),
    name: z.string().nullable(),
  }),
  returnUrl: z.string().nullable(),
  shows: z.array(z.enum(PORTAL_PARTS)),
  subscriptions: z.array(portalSubscriptionSchema),
  usage: z.array(usageSchema),
  credits: z.number(),
  openPayments: z.array(openPaymentSchema),
  transactions: z.array(transactionSchema),
  payments: z.array(paymentSchema),
});

export type PortalView = z.output<typeof portalViewSchema>;
export type PortalSubscription = z.output<typeof portalSubscriptionSchema>;
export type PortalOfferedPlan = z.output<typeof offeredPlanSchema>;
