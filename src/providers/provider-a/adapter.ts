import type { ProviderAdapter } from '../provider-adapter';
import type { ProviderOperations } from '../provider-operations';
import { fetchBilledSubscription, fetchSubscription } from './fetch-subscription';
import { fetchPayment } from './fetch-payment';
import { fetchPaymentPage } from './fetch-payment-page';
import { fetchSettlement } from './list-settlements';
import { fetchCollected } from './fetch-collected';
import { fetchRefundsOf, fetchRefund } from './fetch-refund';
import { listPayments } from './list-payments';
import { listDisputes } from './list-disputes';
import { providerAOperations } from './operations';
import { readEvent } from './read-event';
import { verifyWebhook } from './verify-webhook';
import { testConnection } from './test-connection';

/** Provider A: cards and subscriptions, with signed webhooks. */
export const providerA: ProviderAdapter & ProviderOperations = {
  provider: 'provider_a',
  testConnection,
  verifyWebhook,
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
  fetchPaymentPage,
  ...providerAOperations,
};
