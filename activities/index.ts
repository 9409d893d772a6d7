import type {
  CheckoutActivities,
  CredentialMigrationActivities,
  DriftReportActivities,
  ErasureActivities,
  ProviderActivities,
  ProviderCheckoutActivities,
  ProviderSubscriptionActivities,
  ProviderSettlementActivities,
  RefundActivities,
  RescheduleActivities,
  SettlementActivities,
  SubscriptionActivities,
  SweepActivities,
} from '../workflows/activity-types';
import {
  createCheckoutActivities,
  createProviderCheckoutActivities,
  type CheckoutActivityDependencies,
} from './checkout';
import {
  createCredentialMigrationActivities,
  type CredentialMigrationActivityDependencies,
} from './credential-migration';
import { createErasureActivities, type ErasureActivityDependencies } from './customer-erasure';
import { createDriftReportActivities, type DriftReportActivityDependencies } from './drift-report';
import { createSweepActivities, type SweepActivityDependencies } from './next-wake-sweep';
import {
  createProviderActivities,
  createRefundActivities,
  type ProviderActivityDependencies,
  type RefundActivityDependencies,
} from './refund';
import { createRescheduleActivities, type RescheduleActivityDependencies } from './reschedule';
import {
  createProviderSettlementActivities,
  createSettlementActivities,
  type SettlementActivityDependencies,
} from './settlement-poll';
import {
  createProviderSubscriptionActivities,
  type ProviderSubscriptionDependencies,
} from './subscription-at-provider';
import { createSubscriptionActivities, type SubscriptionActivityDependencies } from './subscription';

export type ActivityDependencies = SubscriptionActivityDependencies &
  CheckoutActivityDependencies &
  RefundActivityDependencies &
  SweepActivityDependencies &
  RescheduleActivityDependencies &
  ErasureActivityDependencies &
  CredentialMigrationActivityDependencies &
  SettlementActivityDependencies &
  DriftReportActivityDependencies &
  ProviderActivityDependencies &
  ProviderSubscriptionDependencies;

/** The activities of each task queue. */
export interface Activities {
  billing: SubscriptionActivities &
    CheckoutActivities &
    RefundActivities &
    SweepActivities &
    RescheduleActivities &
    ErasureActivities &
    SettlementActivities &
    CredentialMigrationActivities;
  providers: ProviderActivities &
    ProviderSubscriptionActivities &
    ProviderCheckoutActivities &
    ProviderSettlementActivities &
    DriftReportActivities;
}

/** Creates the activities of both queues. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  return {
    billing: {
      ...createSubscriptionActivities(dependencies),
      ...createCheckoutActivities(dependencies),
      ...createRefundActivities(dependencies),
      ...createSweepActivities(dependencies),
      ...createRescheduleActivities(dependencies),
      ...createErasureActivities(dependencies),
      ...createSettlementActivities(dependencies),
      ...createCredentialMigrationActivities(dependencies),
    },
    providers: {
      ...createProviderActivities(dependencies),
      ...createProviderSubscriptionActivities(dependencies),
      ...createProviderCheckoutActivities(dependencies),
      ...createProviderSettlementActivities(dependencies),
      ...createDriftReportActivities(dependencies),
    },
  };
}
