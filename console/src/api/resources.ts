import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

export type AccessGrant = Schemas['AccessGrant'];
export type Capability = Schemas['Capability'];
export type ChangePreview = Schemas['ChangePreview'];
export type Connection = Schemas['ProviderConnection'];
export type CredentialReport = Schemas['CredentialReport'];
export type Checkout = Schemas['Checkout'];
export type Customer = Schemas['Customer'];
export type CustomerEntitlement = Schemas['CustomerEntitlement'];
export type Decision = Schemas['Decision'];
export type DeveloperEvent = Schemas['DeveloperEvent'];
export type DueSubscription = Schemas['DueSubscription'];
export type Feature = Schemas['Feature'];
export type Member = Schemas['Member'];
export type Money = Schemas['Money'];
export type Operation = Schemas['Operation'];
export type Organization = Schemas['Organization'];
export type Overview = Schemas['Overview'];
export type Plan = Schemas['Plan'];
export type PlanGroup = Schemas['PlanGroup'];
export type PlanEntitlement = Schemas['PlanEntitlement'];
export type Role = Organization['role'];
export type SecondFactorAwaited = Schemas['SecondFactorAwaited'];
export type SessionOverview = Schemas['SessionOverview'];
export type Subscription = Schemas['Subscription'];
export type SubscriptionDrift = Schemas['SubscriptionDrift'];
export type SubscriptionTimeline = Schemas['SubscriptionTimeline'];
export type UsageCheck = Schemas['UsageCheck'];
export type UsageEvent = Schemas['UsageEvent'];
export type UsageGroup = Schemas['UsageGroup'];
export type UsageReservation = Schemas['UsageReservation'];
export type UsageSeries = Schemas['UsageSeries'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];

/** A plan's price here and at a provider. */
export type PlanPrice = Schemas['PlanPriceAtProvider'];
export type ChangedConnection = Connection & { planPrices: PlanPrice[] };

/** A page of a list. */
export interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  nextCursor?: string;
}
