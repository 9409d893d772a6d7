import { z } from 'zod';
import { readAmount, type Amount, type WrittenAmount } from './amounts';
import { newId } from './identifiers';
import { ProviderProblem } from './problem';
import type { Account } from './state';

const price = z.strictObject({ value: z.string(), currency_code: z.string() }).transform(readPrice);

/** Initial content of an account. It is plain JSON, so that it can also be sent over HTTP. */
const accountSeed = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  merchantId: z.string().min(1).optional(),
  environment: z.enum(['sandbox', 'live']).default('sandbox'),
  webhooks: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[A-Za-z0-9]{1,50}$/),
        url: z.url(),
        eventTypes: z.array(z.string()).min(1).default(['*']),
      }),
    )
    .default([]),
  plans: z
    .array(
      z.strictObject({
        id: z.string().regex(/^P-[A-Za-z0-9-]{1,48}$/),
        name: z.string().min(1),
        /** A subscription can only be revised to plans of the same product. */
        productId: z.string().min(1).default('PROD-DEMO'),
        status: z.enum(['CREATED', 'ACTIVE', 'INACTIVE']).default('ACTIVE'),
        price,
        interval: z
          .strictObject({
            unit: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']),
            count: z.number().int().min(1).default(1),
          })
          .default({ unit: 'MONTH', count: 1 }),
        quantitySupported: z.boolean().default(true),
        totalCycles: z.number().int().min(0).default(0),
        failureThreshold: z.number().int().min(0).max(999).default(1),
        billsOutstanding: z.boolean().default(true),
        setupFee: price.optional(),
        /** Free if there is no price. */
        trial: z.strictObject({ days: z.number().int().min(1).max(365), price: price.optional() }).optional(),
        pricingModel: z.enum(['TIERED', 'VOLUME']).optional(),
        taxes: z
          .strictObject({ percentage: z.string().regex(/^\d{1,3}(\.\d{1,2})?$/), inclusive: z.boolean() })
          .optional(),
      }),
    )
    .default([]),
});

export type AccountSeed = z.input<typeof accountSeed>;

function readPrice(price: WrittenAmount, ctx: z.RefinementCtx): Amount {
  try {
    return readAmount(price);
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    ctx.addIssue({ code: 'custom', message: error.details[0]?.description ?? error.message });
    return z.NEVER;
  }
}

/**
 * Returns the account of this client: a new one, or the existing one with the seed's webhooks and plans added.
 * @throws ZodError when the seed is invalid
 */
export function seedAccount(accounts: Map<string, Account>, seed: unknown): Account {
  const { clientId, clientSecret, merchantId, environment, webhooks, plans } = accountSeed.parse(seed);
  const made = newAccount(clientId, merchantId ?? newId(13));
  const account = accounts.get(clientId) ?? made;
  // An account stored by an earlier version lacks newer members.
  Object.assign(account, { ...made, ...account });
  account.clientSecret = clientSecret;
  account.environment = environment;
  for (const webhook of webhooks) {
    const place = account.webhooks.findIndex(({ id }) => id === webhook.id);
    account.webhooks.splice(place === -1 ? account.webhooks.length : place, 1, webhook);
  }
  for (const plan of plans) account.plans.set(plan.id, plan);
  accounts.set(clientId, account);
  return account;
}

function newAccount(clientId: string, merchantId: string): Account {
  return {
    clientId,
    clientSecret: '',
    merchantId,
    environment: 'sandbox',
    switches: { failPayments: false, relatedCaptureId: false },
    webhooks: [],
    tokens: new Map(),
    requests: new Map(),
    plans: new Map(),
    orders: new Map(),
    captures: new Map(),
    refunds: new Map(),
    subscriptions: new Map(),
    sales: new Map(),
    saleRefunds: new Map(),
    disputes: new Map(),
    ledger: [],
  };
}
