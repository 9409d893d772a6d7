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

/** Adds an account to provider C from JSON. @throws ZodError, or RangeError when the key is taken */
export function seedProviderC(provider: ProviderC, json: unknown): unknown {
  const seed = accountSeed.parse(json);
  provider.account(seed);
  return { plans: seed.plans.map(({ code }) => code) };
}
