import type { ProviderAdapter } from '../provider-adapter';
import type { ProviderOperations } from '../provider-operations';
import { fetchBilledSubscription } from './fetch-billed-subscription';
import { fetchPayment, fetchRefund, fetchSettlement, fetchSubscription } from './fetch';
import { fetchCollected } from './fetch-collected';
import { fetchRefundsOf } from './fetch-refunds';
import { listDisputes, listPayments } from './list-payments';
import { providerAOperations } from './operations';
import { readEvent } from './read-event';
import { signatureIsValid, singleHeader } from './signature';
import { testConnection } from './test-connection';

/** Provider A: cards and subscriptions, with signed webhooks. */
export const providerA: ProviderAdapter & ProviderOperations = {
  provider: 'provider_a',
  testConnection,
  verifyWebhook: ({ secrets }, raw, headers, rawHeaders, now) => {
    // Several, separated by commas, while the signing secret is rotated.
    const signing = (secrets['webhookSecret'] ?? '').split(',').map((secret) => secret.trim());
    const usable = signing.filter((secret) => secret !== '');
    if (usable.length === 0) return Promise.resolve('incomplete');
    const header = singleHeader('stripe-signature', headers, rawHeaders);
    const valid = header !== undefined && signatureIsValid(raw, header, usable, now);
    return Promise.resolve(valid ? 'valid' : 'invalid');
  },
  readEvent,
  fetchSubscription,
  fetchBilledSubscription,
  fetchPayment,
  fetchRefund,
  fetchRefundsOf,
  fetchSettlement,
  listPayments,
  fetchCollected,
  listDisputes,
  ...providerAOperations,
};
