import type { ProviderOperations } from '../provider-operations';
import { cancelSubscription } from './cancel-subscription';
import { reactivateSubscription } from './reactivate-subscription';
import { createCheckout } from './create-checkout';
import { expireCheckout, fetchCheckout } from './fetch-checkout';
import { listSettlements } from './list-settlements';
import { fetchPlanPrice } from './fetch-plan-price';
import { refundPayment } from './refund-payment';

/** The operations of provider C. It takes no idempotency keys, so each operation checks the current state itself. */
export const providerCOperations: ProviderOperations = {
  createCheckout,
  fetchPlanPrice,
  fetchCheckout,
  expireCheckout,
  captureCheckout: () =>
    Promise.resolve({
      kind: 'unsupported',
      reason: 'This payment provider takes the money itself when the customer pays.',
    }),
  // C can only change the plan itself, which changes it for every subscriber.
  changeSubscription: () =>
    Promise.resolve({
      kind: 'unsupported',
      reason:
        'This payment provider cannot change a subscription. Cancel it and start a new one on the other plan.',
    }),
  cancelSubscription,
  reactivateSubscription,
  refundPayment,
  listSettlements,
};
