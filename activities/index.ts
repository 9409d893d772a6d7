import type {
  CheckoutActivities,
  CredentialMigrationActivities,
  ProviderActivities,
  RefundActivities,
  SubscriptionActivities,
  SweepActivities,
} from '../workflows/activity-types';
import { createCheckoutActivities, type CheckoutActivityDependencies } from './checkout';
import {
  createCredentialMigrationActivities,
  type CredentialMigrationActivityDependencies,
} from './credential-migration';
import { createSweepActivities, type SweepActivityDependencies } from './next-wake-sweep';
import {
  createProviderActivities,
  createRefundActivities,
  type ProviderActivityDependencies,
  type RefundActivityDependencies,
} from './refund';
import { createSubscriptionActivities, type SubscriptionActivityDependencies } from './subscription';

export type ActivityDependencies = SubscriptionActivityDependencies &
  CheckoutActivityDependencies &
  RefundActivityDependencies &
  SweepActivityDependencies &
  CredentialMigrationActivityDependencies &
  ProviderActivityDependencies;

/** The activities of each task queue. */
export interface Activities {
  billing: SubscriptionActivities &
    CheckoutActivities &
    RefundActivities &
    SweepActivities &
    CredentialMigrationActivities;
  providers: ProviderActivities;
}

/** The activities of both queues, over what they need. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  return {
    billing: {
      ...createSubscriptionActivities(dependencies),
      ...createCheckoutActivities(dependencies),
      ...createRefundActivities(dependencies),
      ...createSweepActivities(dependencies),
      ...createCredentialMigrationActivities(dependencies),
    },
    providers: createProviderActivities(dependencies),
  };
}
