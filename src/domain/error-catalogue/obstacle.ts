import type { ErrorDefinition } from './definition';

/** What stands in the way of the operation. */
export const obstacleErrors = {
  resource_conflict: {
    status: 409,
    title: 'The name, slug, key or external id is already taken.',
    fix: 'Choose another one, or change the record that has it.',
  },
  subscription_exists: {
    status: 409,
    title: 'The customer already has an open subscription in this plan group.',
    fix: 'Change or cancel the subscription that `detail` names.',
  },
  plan_archived: {
    status: 409,
    title: 'The plan is archived and takes no new subscriptions.',
    fix: 'Choose a plan that is not archived.',
  },
  plan_in_use: {
    status: 409,
    title: 'The plan has subscriptions and cannot be deleted.',
    fix: 'Archive the plan instead.',
  },
  plan_terms_fixed: {
    status: 409,
    title: 'The plan has subscriptions, so its group, currency, interval and pricing are fixed.',
    fix: 'Create a new plan with the other terms, and archive this one.',
  },
  plan_group_archived: {
    status: 409,
    title: 'The plan group is archived and takes no new plans.',
    fix: 'Choose another plan group, or unarchive this one.',
  },
  feature_archived: {
    status: 409,
    title: 'The feature is archived and cannot be added to a plan.',
    fix: 'Choose another feature, or unarchive this one.',
  },
  last_owner: {
    status: 409,
    title: 'An organization needs at least one owner.',
    fix: 'Make another member an owner first.',
  },
  capability_unavailable: {
    status: 409,
    title: 'The action is supported but cannot be done now.',
    fix: 'Read `capability.reason` and try again when it no longer applies.',
  },
  capability_unsupported: {
    status: 422,
    title: 'The billing provider of this subscription does not support the action.',
    fix: 'Read `capability.reason` for what is possible instead.',
  },
  feature_not_metered: {
    status: 422,
    title: 'The feature is on or off and has no usage to record.',
    fix: 'Call check for it, or track a metered feature.',
  },
  sandbox_only: {
    status: 409,
    title: 'This works in the sandbox only.',
    fix: 'Repeat the request with `env=sandbox`; production always runs on real time.',
  },
  clock_no_boundary: {
    status: 409,
    title: 'No open subscription of the sandbox has a boundary ahead.',
    fix: 'Send `to` with an instant, or open a subscription in the sandbox first.',
  },
  clock_backwards: {
    status: 409,
    title: 'The sandbox clock cannot be moved back.',
    fix: 'Choose an instant after the sandbox’s present time.',
  },
} as const satisfies Record<string, ErrorDefinition>;
