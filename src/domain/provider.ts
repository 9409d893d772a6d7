/** Providers at which a workspace has accounts, and which send webhooks. */
export const PAYMENT_PROVIDERS = ['provider_a', 'provider_b', 'provider_c'] as const;
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** Collectors of the money; `internal` is the service's own local billing. */
export const PROVIDERS = ['internal', ...PAYMENT_PROVIDERS] as const;
export type Provider = (typeof PROVIDERS)[number];
