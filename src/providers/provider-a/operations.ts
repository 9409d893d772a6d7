import type { ProviderOperations } from '../provider-operations';
import { cancelSubscription } from './cancel-subscription';
import { reactivateSubscription } from './reactivate-subscription';
import { changeSubscription } from './change-subscription';
import { expireCheckout, fetchCheckout } from './fetch-checkout';
import { createCheckout } from './create-checkout';
import { fetchPlanPrice } from './fetch-plan-price';
import { listSettlements } from './list-settlements';
import { refundPayment } from './refund-payment';

/** The operations of provider A. Every request has a key, because the library itself may send a second time. */
export const providerAOperations: ProviderOperations = {
  createCheckout,
  fetchPlanPrice,
  fetchCheckout,
  expireCheckout,
  captureCheckout: () =>
    Promise.resolve({
      kind: 'unsupported',
      reason: 'Provider A takes the money itself when the customer pays.',
    }),
  changeSubscription,
  cancelSubscription,
  reactivateSubscription,
  refundPayment,
  listSettlements,
};
