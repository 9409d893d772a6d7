import { z } from 'zod';
import type { ProviderC } from './provider-c';

const accountSeed = z.strictObject({
  secretKey: z.string(),
  webhookUrl: z.url().nullable().default(null),
  plans: z
    .array(
      z.strictObject({
        code: z.string().startsWith('PLN_'),
        name: z.string(),
        amount: z.int().min(1),
        currency: z.string().regex(/^[A-Z]{3}$/),
        interval: z.enum(['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'biannually', 'annually']),
      }),
    )
    .default([]),
});

const action = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('set_cards'),
    secretKey: z.string(),
    email: z.string(),
    charges: z.enum(['succeed', 'decline']),
  }),
  z.strictObject({
    action: z.literal('set_refunds_end'),
    secretKey: z.string(),
    end: z.enum(['processed', 'failed', 'needs-attention']),
  }),
  z.strictObject({
    action: z.literal('set_subscription_delay'),
    secretKey: z.string(),
    delayMs: z.int().min(0),
  }),
]);

/** Creates an account of provider C from JSON, or adds to it. @throws ZodError, or RangeError for a malformed key */
export function seedProviderC(provider: ProviderC, json: unknown): unknown {
  const seed = accountSeed.parse(json);
  provider.account(seed);
  return { plans: seed.plans.map(({ code }) => code) };
}

/** Performs an action of the dashboard or the banks, from JSON. @throws ZodError, or RangeError for unknown objects */
export function actOnProviderC(provider: ProviderC, json: unknown): unknown {
  const wanted = action.parse(json);
  const controls = provider.controls(wanted.secretKey);
  switch (wanted.action) {
    case 'set_cards': {
      const cards = controls.setCards(wanted.email, wanted.charges);
      if (cards === 0) throw new RangeError('This e-mail address has no saved cards. Pay with it first.');
      return { cards };
    }
    case 'set_refunds_end':
      controls.setRefundsEnd(wanted.end);
      return {};
    case 'set_subscription_delay':
      controls.setSubscriptionDelay(wanted.delayMs);
      return {};
  }
}
