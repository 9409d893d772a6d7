import type { Subscription } from '../api/resources';

const NAMES: Record<Subscription['provider'], string> = {
  internal: 'Internal',
  provider_a: 'Provider A (Stripe)',
  provider_b: 'Provider B (PayPal)',
  provider_c: 'Provider C (Paystack)',
};

export function providerName(provider: Subscription['provider']): string {
  return NAMES[provider];
}
