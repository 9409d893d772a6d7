import type { Outcome } from '../../src/providers/outcome';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import type { ProviderOperations } from '../../src/providers/provider-operations';

type Fake = ProviderOperations & Pick<ProviderAdapter, 'fetchBilledSubscription'>;

const unsupported = (): Promise<Outcome<never>> =>
  Promise.resolve({ kind: 'unsupported', reason: 'This fake is only read.' });

/** Operations of a fake that is only read: each answers that it is unsupported. */
export const NO_OPERATIONS: Fake = {
  fetchBilledSubscription: unsupported,
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

/** The same operations, for fakes that are classes. */
export class NoOperations implements Fake {
  fetchBilledSubscription = unsupported;
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
