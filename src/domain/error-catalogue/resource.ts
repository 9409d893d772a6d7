import type { ErrorDefinition } from './definition';

/**
 * Resources that were requested but do not exist. Another organization's is indistinguishable from one that does not
 * exist.
 */
export const resourceErrors = {
  organization_forbidden: {
    status: 404,
    title: 'You are not a member of such an organization.',
    fix: 'Use one of the organizations that `GET /api/organizations` lists.',
  },
  customer_not_found: {
    status: 404,
    title: 'There is no such customer.',
    fix: 'Check `externalId`, or create the customer with `PUT /v1/customers/{externalId}`.',
  },
  erasure_not_found: {
    status: 404,
    title: 'There is no such erasure.',
    fix: 'Follow the `Location` of the 202 answer, with a key or session of the same environment.',
  },
  feature_not_found: {
    status: 404,
    title: 'There is no such feature.',
    fix: 'Check the feature’s key or id against `GET /v1/features`, or `GET /api/features` of the console, of this environment.',
  },
  decision_not_found: {
    status: 404,
    title: 'There is no such decision.',
    fix: 'Check the `decisionId`, the environment and its host. Decisions are kept as long as developer events.',
  },
  reservation_not_found: {
    status: 404,
    title: 'The customer has no such reservation.',
    fix: 'Check the `reservationId` that the check answered, the customer and the environment. To record the usage anyway, omit `reservationId`.',
  },
  entity_not_found: {
    status: 404,
    title: 'The customer has no such entity.',
    fix: 'Check the spelling; the customer’s entities are listed at its `/entities`.',
  },
  usage_event_not_found: {
    status: 404,
    title: 'There is no such usage event.',
    fix: 'Check the `eventId` that track answered, the environment and its host.',
  },
  plan_not_found: {
    status: 404,
    title: 'There is no such plan.',
    fix: 'Check the plan’s id or slug against `GET /v1/plans`, or `GET /api/plans` of the console, of this environment.',
  },
  plan_group_not_found: {
    status: 404,
    title: 'There is no such plan group.',
    fix: 'Check the plan group’s id against the catalogue of this environment.',
  },
  subscription_not_found: {
    status: 404,
    title: 'There is no such subscription.',
    fix: 'Check the subscription’s id, the organization and the environment.',
  },
  transaction_not_found: {
    status: 404,
    title: 'There is no such transaction.',
    fix: 'Check the transaction’s id against `GET /v1/transactions`, or `GET /api/billing/transactions` of the console, of this environment.',
  },
  payment_not_found: {
    status: 404,
    title: 'There is no such payment.',
    fix: 'Check the payment’s id against `GET /v1/payments`, or `GET /api/billing/payments` of the console, of this environment.',
  },
  webhook_message_not_found: {
    status: 404,
    title: 'There is no such webhook message.',
    fix: 'Check the id against `GET /v1/webhook-messages` of this environment. Messages are kept for 30 days.',
  },
  refund_not_found: {
    status: 404,
    title: 'There is no such refund.',
    fix: 'Check the refund’s id against `GET /v1/refunds`, or `GET /api/billing/refunds` of the console, of this environment.',
  },
  settlement_not_found: {
    status: 404,
    title: 'There is no such settlement.',
    fix: 'Check the settlement’s id against `GET /api/billing/settlements` of this environment.',
  },
  checkout_not_found: {
    status: 404,
    title: 'There is no such checkout.',
    fix: 'Check the checkout’s id against `GET /v1/checkouts`, or `GET /api/billing/checkouts` of the console, of this environment.',
  },
  operation_not_found: {
    status: 404,
    title: 'There is no such operation.',
    fix: 'Follow the `Location` of the 202 answer, with the same organization and environment.',
  },
  entitlement_not_found: {
    status: 404,
    title: 'There is no such entitlement on this plan.',
    fix: 'Check the entitlement’s id against the plan’s entitlements.',
  },
  credit_grant_not_found: {
    status: 404,
    title: 'The customer has no such grant of credits.',
    fix: 'Check the grant’s id against the customer’s credits.',
  },
  connection_not_found: {
    status: 404,
    title: 'There is no such provider connection.',
    fix: 'Check the connection’s id against `providers` of the plan, or `GET /api/provider-connections` of the console, of this environment.',
  },
  api_key_not_found: {
    status: 404,
    title: 'There is no such API key.',
    fix: 'Check the key’s id against the list of keys of this environment.',
  },
  invitation_not_found: {
    status: 404,
    title: 'There is no such open invitation.',
    fix: 'Check the invitation’s id against the open invitations of the organization.',
  },
  session_not_found: {
    status: 404,
    title: 'There is no such session of yours.',
    fix: 'Check the session’s id against `GET /api/auth/sessions`.',
  },
  operator_not_found: {
    status: 404,
    title: 'There is no such operator.',
    fix: 'Check the operator’s id against the members of the organization.',
  },
} as const satisfies Record<string, ErrorDefinition>;
