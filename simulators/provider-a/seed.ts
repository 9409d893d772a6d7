import { z } from 'zod';
import type { ProviderA } from './index';

const card = z.enum([
  'pays',
  'declines',
  'has_insufficient_funds',
  'requires_authentication',
  'pends',
  'is_removed',
]);

const accountSeed = z.strictObject({
  secretKey: z.string().regex(/^[sr]k_(?:test|live)_\w+$/, 'A key is sk_test_… or sk_live_….'),
  webhookUrl: z.url().optional(),
  webhookSecret: z.string().min(1).optional(),
  webhookApiVersion: z.iso.date().optional(),
  prices: z
    .array(
      z.strictObject({
        /** For plan references that survive a restart of the simulators. */
        id: z.string().startsWith('price_').optional(),
        unitAmount: z.int().min(0),
        currency: z.string().regex(/^[a-z]{3}$/),
        interval: z.enum(['day', 'week', 'month', 'year']).optional(),
        intervalCount: z.int().min(1).optional(),
        product: z.string().optional(),
      }),
    )
    .default([]),
  customers: z.array(z.strictObject({ email: z.string(), card: card.optional() })).default([]),
});

const action = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('set_card'), secretKey: z.string(), customer: z.string(), card }),
  z.strictObject({
    action: z.literal('pay_out'),
    secretKey: z.string(),
    byHand: z.boolean().optional(),
    stillReconciling: z.boolean().optional(),
  }),
  z.strictObject({ action: z.literal('dispute'), secretKey: z.string(), charge: z.string() }),
  z.strictObject({
    action: z.literal('close_dispute'),
    secretKey: z.string(),
    dispute: z.string(),
    status: z.enum(['won', 'lost']),
  }),
  z.strictObject({ action: z.literal('keep_refunds_pending'), secretKey: z.string(), pending: z.boolean() }),
  z.strictObject({
    action: z.literal('settle_refund'),
    secretKey: z.string(),
    refund: z.string(),
    status: z.enum(['succeeded', 'failed']),
  }),
]);

/** Creates an account from JSON, or adds to it. @throws ZodError */
export function seedFromJson(provider: ProviderA, json: unknown): unknown {
  const { prices, customers, ...seed } = accountSeed.parse(json);
  const account = provider.account(seed);
  return {
    id: account.id,
    endpointId: account.endpointId,
    prices: prices.map((price) => account.price(price)),
    customers: customers.map(({ email, card: has }) => account.customer(email, has)),
  };
}

/** Performs an action on an account outside its API, from JSON. @throws ZodError */
export function actFromJson(provider: ProviderA, json: unknown): unknown {
  const wanted = action.parse(json);
  const account = provider.account({ secretKey: wanted.secretKey });
  switch (wanted.action) {
    case 'set_card':
      account.setCard(wanted.customer, wanted.card);
      return {};
    case 'pay_out':
      return { payouts: account.payOut(wanted) };
    case 'dispute':
      return { dispute: account.dispute(wanted.charge) };
    case 'close_dispute':
      account.closeDispute(wanted.dispute, wanted.status);
      return {};
    case 'keep_refunds_pending':
      account.setRefundsPending(wanted.pending);
      return {};
    case 'settle_refund':
      account.settleRefund(wanted.refund, wanted.status);
      return {};
  }
}
