import type { Instant } from '../../domain/instant';
import type { ProviderAdapter } from '../provider-adapter';
import type { ProviderOperations } from '../provider-operations';
import { createProviderBClient } from './client';
import { fetchBilledSubscription, fetchSubscription } from './fetch-subscription';
import { fetchPayment } from './fetch-payment';
import { fetchRefund } from './fetch-refund';
import { createProviderBOperations } from './operations';
import { fetchCollected } from './fetch-collected';
import { listPayments } from './list-payments';
import { fetchDispute, listDisputes } from './list-disputes';
import { readEvent } from './read-event';
import { testConnection } from './test-connection';
import { verifyWebhook } from './verify-webhook';

/**
 * Creates the adapter of provider B (PayPal). It only uses the credentials and the mode of the given connection.
 *
 * @param options.now real time, used to expire access tokens
 */
export function createProviderB(options: { now: () => Instant }): ProviderAdapter & ProviderOperations {
  const client = createProviderBClient(options);
  return {
    ...createProviderBOperations(client),
    provider: 'provider_b',
    testConnection: (access) => testConnection(client, access),
    verifyWebhook: (access, webhook) => verifyWebhook(client, access, webhook),
    readEvent,
    fetchSubscription: (access, reference) => fetchSubscription(client, access, reference),
    fetchBilledSubscription: (access, reference) => fetchBilledSubscription(client, access, reference),
    fetchPayment: (access, kind, reference) => fetchPayment(client, access, kind, reference),
    fetchRefund: (access, reference) => fetchRefund(client, access, reference),
    listPayments: (access, subscription, since) => listPayments(client, access, subscription, since),
    fetchCollected: (access, named) => fetchCollected(client, access, named),
    listDisputes: (access, since) => listDisputes(client, access, since),
    fetchDispute: (access, reference) => fetchDispute(client, access, reference),
  };
}
