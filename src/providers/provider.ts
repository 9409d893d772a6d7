import type { Provider } from '../domain/subscription-types';

/** Money that is to go back. JSON-safe, because it also travels through a workflow. */
export interface ProviderRefundRequest {
  refundId: string;
  paymentId: string;
  /** Minor units, as text. */
  amount: string;
  currency: string;
  /** The same at every sending of one refund, so that the provider gives the money back once. */
  idempotencyKey: string;
}

/**
 * What became of it at the provider. `pending`: taken on, and decided later. `unknown`: nobody can say whether it was
 * done, so it is asked again under the same key. `unsupported`: the provider has no such operation for this payment.
 */
export type RefundOutcome =
  | { kind: 'done' }
  | { kind: 'declined'; reason: string }
  | { kind: 'pending' }
  | { kind: 'unknown' }
  | { kind: 'unsupported'; reason: string };

/** What the service asks of whoever collects the money; an adapter for each provider answers. */
export interface ProviderPort {
  /** Answers every refusal as an outcome. After a throw nobody knows whether it was done: the caller asks again. */
  refund(request: ProviderRefundRequest): Promise<RefundOutcome>;
}

/** The adapters that are there. */
export type Providers = Readonly<Partial<Record<Provider, ProviderPort>>>;
