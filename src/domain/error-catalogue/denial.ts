import type { ErrorDefinition } from './definition';

/** Refusals of a usage decision; the codes are those of `DenialCode`. */
export const denialErrors = {
  no_active_subscription: {
    status: 403,
    title: 'The customer has no active subscription.',
    fix: 'Start a subscription for the customer on a plan with this feature. A track with a `timestamp` is decided as of that time, which in a sandbox is by its clock.',
  },
  feature_not_in_plan: {
    status: 403,
    title: 'The customer’s plan does not include the feature.',
    fix: 'Move the customer to a plan that includes it, or add the feature to the plan.',
  },
  quota_exceeded: {
    status: 403,
    title: 'The customer’s quota and credits do not cover the quantity.',
    fix: 'Wait for the quota to reset (at `period.end` of the decision; null if it never does), grant credits if the feature has a price in credits, or move the customer to a larger plan.',
  },
  subscription_past_due: {
    status: 403,
    title: 'The customer’s subscription is past due.',
    fix: 'Have the customer settle the open payment.',
  },
  entity_limit_reached: {
    status: 403,
    title: 'The customer has as many entities as its plan allows.',
    fix: 'Remove an entity that is no longer used, or move the customer to a plan that allows more.',
  },
} as const satisfies Record<string, ErrorDefinition>;
