import type { Instant } from '../../domain/instant';
import type { ProviderAdapter } from '../provider-adapter';
import type { ProviderOperations } from '../provider-operations';
import { createProviderBClient } from './client';
import { fetchPayment, fetchRefund, fetchSubscription } from './fetch-objects';
import { createProviderBOperations } from './operations';
import { readEvent } from './read-event';
import { testConnection } from './test-connection';
import { verifyWebhook } from './verify-webhook';

export interface ProviderBOptions {
  /** Real time, by which access tokens end. */
  now: () => Instant;
  /** For one exchange with the provider, in milliseconds. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

/** The adapter of provider B (PayPal). It speaks with the credentials and the mode of the given connection only. */
export function createProviderB({
  now,
  timeoutMs = TIMEOUT_MS,
}: ProviderBOptions): ProviderAdapter & ProviderOperations {
  const client = createProviderBClient({ now, timeoutMs });
  return {
    ...createProviderBOperations(client),
    provider: 'provider_b',
    testConnection: (access) => testConnection(client, access),
    verifyWebhook: (access, raw, headers, rawHeaders, receivedAt) =>
      verifyWebhook(client, access, raw, { headers, rawHeaders }, receivedAt),
    readEvent,
    fetchSubscription: (access, reference) => fetchSubscription(client, access, reference),
    fetchPayment: (access, kind, reference) => fetchPayment(client, access, kind, reference),
    fetchRefund: (access, reference) => fetchRefund(client, access, reference),
  };
}
