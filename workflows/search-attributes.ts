import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Attributes by which operators can search workflows; the worker registers them. */
export const workspaceIdKey = defineSearchAttributeKey('WorkspaceId', SearchAttributeType.KEYWORD);
export const environmentKey = defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD);
export const providerKey = defineSearchAttributeKey('Provider', SearchAttributeType.KEYWORD);
export const subscriptionStatusKey = defineSearchAttributeKey(
  'SubscriptionStatus',
  SearchAttributeType.KEYWORD,
);
/** The slug of its plan. */
export const subscriptionPlanKey = defineSearchAttributeKey('SubscriptionPlan', SearchAttributeType.KEYWORD);
/** One of `Awaited` (src/domain/awaited.ts); unset once the subscription has ended. */
export const subscriptionAwaitsKey = defineSearchAttributeKey(
  'SubscriptionAwaits',
  SearchAttributeType.KEYWORD,
);

export const searchAttributeKeys = [
  workspaceIdKey,
  environmentKey,
  providerKey,
  subscriptionStatusKey,
  subscriptionPlanKey,
  subscriptionAwaitsKey,
];
