import type { Instant } from './instant';
import type { Provider } from './provider';
import type { ProviderWaits } from './provider-work';
import type { SubscriptionStatus } from './subscription-types';

/** Inputs that capabilities depend on. */
export interface CapabilityView {
  provider: Provider;
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  /** Instant at which it ends, if the provider names one. */
  cancelAt: Instant | null;
  currentPeriodEnd: Instant;
  /** Due time of the earliest open payment; null if nothing is open. */
  paymentDueAt: Instant | null;
  /** Null unless `past_due`. */
  pastDueSince: Instant | null;
  /** The provider's id of the subscription; null until it is known, and in local billing. */
  providerReference: string | null;
  /** Whether the connection that bills it is disabled; omitted in local billing. */
  connectionDisabled?: boolean;
  /** What is in progress at the provider. */
  work: ProviderWaits & { sync: { told?: boolean } | null; resumeRefused?: true | undefined };
}
