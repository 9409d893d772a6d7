import { PAID_PLANS } from './demo-catalogue';
import type { PaymentProvider } from '../../domain/provider';

/** Returns a simulated provider's reference of a demo plan, the same at each start. */
export function planReferenceOf(provider: PaymentProvider, slug: string): string {
  switch (provider) {
    case 'provider_a':
      return `price_demo_${slug}`;
    case 'provider_b':
      return `P-DEMO-${slug.toUpperCase()}`;
    case 'provider_c':
      return `PLN_demo_${slug}`;
  }
}

/** Maps each paid plan to the provider's reference of it. */
export function planReferences(provider: PaymentProvider): Record<string, string> {
  return Object.fromEntries(PAID_PLANS.map(({ slug }) => [slug, planReferenceOf(provider, slug)]));
}
