import type { ProviderOperations } from '../provider-operations';
import { cancelSubscription } from './cancel-subscription';
import { captureCheckout } from './capture-checkout';
import { changeSubscription } from './change-subscription';
import type { ProviderBClient } from './client';
import { createCheckout } from './create-checkout';
import { expireCheckout, fetchCheckout } from './fetch-checkout';
import { listSettlements } from './list-settlements';
import { fetchPlanPrice } from './fetch-plan-price';
import { refundPayment } from './refund-payment';

/** The operations of provider B. */
export function createProviderBOperations(client: ProviderBClient): ProviderOperations {
  return {
    createCheckout: (access, request) => createCheckout(client, access, request),
    fetchPlanPrice: (access, reference) => fetchPlanPrice(client, access, reference),
    fetchCheckout: (access, reference) => fetchCheckout(client, access, reference),
    expireCheckout: (access, reference) => expireCheckout(client, access, reference),
    captureCheckout: (access, reference, sending) => captureCheckout(client, access, reference, sending),
    changeSubscription: (access, request) => changeSubscription(client, access, request),
    cancelSubscription: (access, request) => cancelSubscription(client, access, request),
    reactivateSubscription: () =>
      Promise.resolve({
        kind: 'unsupported',
        reason: 'A cancelled subscription of provider B cannot be reactivated. Start a new one.',
      }),
    refundPayment: (access, request) => refundPayment(client, access, request),
    listSettlements: (access, range) => listSettlements(client, access, range),
  };
}
