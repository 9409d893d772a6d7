import type { Outcome } from '../../src/providers/outcome';
import type { ProviderOperations } from '../../src/providers/provider-operations';

const unsupported = (): Promise<Outcome<never>> =>
  Promise.resolve({ kind: 'unsupported', reason: 'This fake is only read.' });

/** What a fake that is only read answers when it is asked to do something. */
export const NO_OPERATIONS: ProviderOperations = {
  createCheckout: unsupported,
  fetchPlanPrice: unsupported,
  fetchCheckout: unsupported,
  expireCheckout: unsupported,
  captureCheckout: unsupported,
  changeSubscription: unsupported,
  cancelSubscription: unsupported,
  reactivateSubscription: unsupported,
  refundPayment: unsupported,
  listSettlements: unsupported,
};

/** The same for fakes that are classes. */
export class NoOperations implements ProviderOperations {
  createCheckout = unsupported;
  fetchPlanPrice = unsupported;
  fetchCheckout = unsupported;
  expireCheckout = unsupported;
  captureCheckout = unsupported;
  changeSubscription = unsupported;
  cancelSubscription = unsupported;
  reactivateSubscription = unsupported;
  refundPayment = unsupported;
  listSettlements = unsupported;
}
