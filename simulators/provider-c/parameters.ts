import { z } from 'zod';
import { Refusal } from './answers';

const amount = z.union([
  z.number().int().positive(),
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
]);
const currency = z.enum(['NGN', 'GHS', 'ZAR', 'KES', 'USD', 'XOF']);
const email = z.email();
const text = z.string().min(1);
const paging = {
  perPage: z.coerce.number().int().min(1).max(100).default(50),
  page: z.coerce.number().int().min(1).default(1),
};

export const initializeParameters = z.strictObject({
  email,
  amount,
  currency: currency.default('NGN'),
  reference: z
    .string()
    .regex(/^[A-Za-z0-9.=-]{1,100}$/)
    .optional(),
  callback_url: z.url().optional(),
  plan: text.optional(),
  invoice_limit: z.number().int().nonnegative().optional(),
  channels: z.array(text).optional(),
  metadata: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
});

export const planParameters = z.strictObject({
  name: text,
  amount,
  interval: z.enum(['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'biannually', 'annually']),
  description: z.string().optional(),
  currency: currency.default('NGN'),
  invoice_limit: z.number().int().nonnegative().default(0),
});

export const subscriptionParameters = z.strictObject({
  customer: text,
  plan: text,
  authorization: text.optional(),
  start_date: z.iso.datetime({ offset: true }).optional(),
});

export const tokenParameters = z.strictObject({ code: text, token: text });

export const refundParameters = z.strictObject({
  transaction: z.union([text, z.number().int().positive().transform(String)]),
  amount: amount.optional(),
  currency: currency.optional(),
  customer_note: z.string().optional(),
  merchant_note: z.string().optional(),
});

export const refundDetailsParameters = z.strictObject({
  refund_account_details: z.strictObject({ currency, account_number: text, bank_id: text }),
});

const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform((value) => Date.parse(value));

export const pageQuery = z.strictObject(paging);
export const refundsQuery = z.strictObject({
  ...paging,
  transaction: text.optional(),
  currency: currency.optional(),
  from: time.optional(),
  to: time.optional(),
});
export const transactionsQuery = z.strictObject({
  ...paging,
  customer: z.coerce.number().int().positive().optional(),
  status: z.enum(['failed', 'success', 'abandoned', 'reversed']).optional(),
  amount: z.coerce.number().int().positive().optional(),
  from: time.optional(),
  to: time.optional(),
});
export const disputesQuery = z.strictObject({
  ...paging,
  transaction: z.coerce.number().int().positive().optional(),
  status: z.enum(['awaiting-merchant-feedback', 'awaiting-bank-feedback', 'pending', 'resolved']).optional(),
  from: time.optional(),
  to: time.optional(),
});
export const settlementsQuery = z.strictObject({
  ...paging,
  status: z.enum(['success', 'processing', 'pending', 'failed']).optional(),
  /** `none`: only settlements of the account itself. There are no subaccounts here. */
  subaccount: text.optional(),
  from: time.optional(),
  to: time.optional(),
});
export const subscriptionsQuery = z.strictObject({
  ...paging,
  customer: z.coerce.number().int().positive().optional(),
  plan: z.coerce.number().int().positive().optional(),
});

/** Reads the parameters of a body or a query, and refuses invalid ones with the provider's messages. */
export function parameters<T>(schema: z.ZodType<T>, values: unknown): T {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    throw new Refusal(400, 'invalid_params', `"${issue.keys.join('", "')}" is not allowed`);
  }
  const name = issue?.path.join('.') ?? '';
  throw new Refusal(
    400,
    'invalid_params',
    name === '' ? 'Invalid parameters' : `"${name}" is invalid: ${issue?.message ?? ''}`,
  );
}
