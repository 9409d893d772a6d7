/** Providers at which a workspace has accounts, and which send webhooks. */
export const PAYMENT_PROVIDERS = ['provider_a', 'provider_b', 'provider_c'] as const;
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** Collectors of the money; `internal` is the service's own local billing. */
export const PROVIDERS = ['internal', ...PAYMENT_PROVIDERS] as const;
export type Provider = (typeof PROVIDERS)[number];

/**
 * Whether a provider tries to collect an overdue payment again before the next renewal. Provider C charges each period
 * once.
 */
export const COLLECTS_AGAIN: Record<PaymentProvider, boolean> = {
  provider_a: true,
  provider_b: true,
  provider_c: false,
};
