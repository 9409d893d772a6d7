import type { ErrorDefinition } from './definition';

/** Conditions that prevent the operation. */
export const obstacleErrors = {
  resource_conflict: {
    status: 409,
    title: 'The name, slug, key or external ID is already taken.',
    fix: 'Choose another one, or change the record that uses it.',
  },
  api_key_not_active: {
    status: 409,
    title: 'The API key is revoked or has expired.',
    fix: 'Create a new key.',
  },
  return_origin_forbidden: {
    status: 422,
    title: 'The settings do not allow a return address of this origin.',
    fix: 'Add the origin to `returnOrigins` of the settings, or use an address of one that is there.',
  },
  customer_has_open_affairs: {
    status: 409,
    title: 'The customer still has something open.',
    fix: 'End what `open` names: cancel the subscriptions, expire the checkouts, and wait for refunds and operations. Then repeat the request.',
  },
  reservation_ended: {
    status: 409,
    title: 'The reservation was confirmed or released before.',
    fix: 'The usage of a confirmed reservation is recorded: do not send it again; to take it back, reverse its usage event. After a release, send usage without `reservationId`: it is decided like any other.',
  },
  reservation_of_other_feature: {
    status: 409,
    title: 'The reservation holds units of another feature.',
    fix: 'Track the feature that was reserved, or leave `reservationId` out.',
  },
  reservation_of_other_entity: {
    status: 409,
    title: 'The reservation holds units of another entity.',
    fix: 'Track the entity that was reserved for, or leave `entity` or `reservationId` out.',
  },
  too_many_reservations: {
    status: 409,
    title: 'The customer has too many reservations that have not ended.',
    fix: 'Confirm or release reservations, or let them expire sooner.',
  },
  too_many_credit_grants: {
    status: 409,
    title: 'The customer has too many grants of credits that are neither spent nor expired.',
    fix: 'Grant a larger amount at once, or expire grants that are no longer needed.',
  },
  usage_already_reversed: {
    status: 409,
    title: 'The usage event was already reversed.',
    fix: 'There is nothing to do: `reversal` shows what was reversed. An event can be reversed once, in full or in part.',
  },
  customer_erased: {
    status: 409,
    title: 'The customer was erased.',
    fix: 'Create a new customer; an erased one only keeps its money and usage, under a pseudonym.',
  },
  series_too_long: {
    status: 422,
    title: 'The series would have more than 1,000 points.',
    fix: 'Ask for a longer `interval`, a shorter time or a smaller `limit`; `detail` says which would do.',
  },
  dimension_not_declared: {
    status: 422,
    title: 'The feature has no such dimension.',
    fix: 'Name one of the feature’s `dimensions`, or have an operator declare it in the console: `PATCH /api/features/{id}`.',
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
  plan_currency_differs: {
    status: 422,
    title: 'The plan is in another currency than the subscription.',
    fix: 'Choose a plan in the subscription’s currency, or cancel and start a new subscription.',
  },
  plan_group_differs: {
    status: 422,
    title: 'The plan belongs to another plan group than the subscription.',
    fix: 'Choose a plan of the same plan group, or start a second subscription for the other group.',
  },
  change_differs: {
    status: 409,
    title: 'The change differs from what was shown, or would cost more.',
    fix: 'Request the preview again, and send what it shows now.',
  },
  change_without_effect: {
    status: 409,
    title: 'The subscription already has this plan and number of seats.',
    fix: 'Name another plan or another number of seats; a scheduled change is withdrawn, not overwritten.',
  },
  no_scheduled_change: {
    status: 409,
    title: 'There is no scheduled change to withdraw.',
    fix: 'Read the subscription: `scheduledChange` shows the change of its next renewal.',
  },
  interval_change_unsupported: {
    status: 422,
    title: 'The billing provider of this subscription cannot move it to another billing interval.',
    fix: 'Choose a plan with the same interval, or cancel and start a new subscription.',
  },
  plan_price_differs: {
    status: 409,
    title: 'The plan’s price differs from the payment provider’s price.',
    fix: 'Make the prices agree: map the plan to a matching price at the provider, or change the plan’s price here. `local` and `provider` show both prices.',
  },
  plan_in_use: {
    status: 409,
    title: 'The plan has or had subscriptions, or one may change to it, and it cannot be deleted.',
    fix: 'Archive the plan instead.',
  },
  plan_terms_fixed: {
    status: 409,
    title:
      'The plan has or had subscriptions, or one may change to it, so its group, currency, interval and pricing are fixed.',
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
  payment_currency_differs: {
    status: 422,
    title: 'The amount is in the wrong currency.',
    fix: 'Send the amount in the currency that `detail` names.',
  },
  payment_not_refundable: {
    status: 409,
    title: 'The payment cannot be refunded.',
    fix: 'Read `detail`. A payment can be refunded once it has `succeeded` and its provider reference is known.',
  },
  refund_exceeds_payment: {
    status: 409,
    title: 'The refund exceeds what remains of the payment.',
    fix: 'Refund at most the payment’s `refundableAmount`.',
  },
  settlement_overlaps: {
    status: 409,
    title: 'Another settlement already covers part of the period.',
    fix: 'Begin the period where the settlement that `detail` names ends, or later.',
  },
  settlement_empty: {
    status: 409,
    title: 'There are no payments or refunds left to settle.',
    fix: 'Choose a later end of the period, or another currency.',
  },
  settlement_too_large: {
    status: 422,
    title: 'The total is too large for one settlement.',
    fix: 'Settle a smaller period: take an earlier `periodEnd` first, and the rest after it.',
  },
  capability_unavailable: {
    status: 409,
    title: 'The action is supported but cannot be done now.',
    fix: 'Read `capability.reason`, and try again when it no longer applies. A subscription that has ended stays ended: start a new one.',
  },
  nothing_to_retry: {
    status: 409,
    title: 'The subscription has nothing to retry now.',
    fix: 'If the response has `Retry-After`, a request to the provider has just been sent: retry after that time. Otherwise read `waitingFor` of the subscription, which says what comes next, and when.',
  },
  capability_unsupported: {
    status: 422,
    title: 'The billing provider of this subscription does not support the action.',
    fix: 'Read `capability.reason` for what is possible instead.',
  },
  plan_not_mapped: {
    status: 422,
    title: 'The plan is not mapped at the payment provider.',
    fix: 'Set the plan’s reference in the connection’s `settings.planReferences` or in the plan’s `metadata`.',
  },
  connection_ambiguous: {
    status: 422,
    title: 'The request matches more than one provider connection, or none.',
    fix: 'Send `connectionId`: one of `providers` of the plan, or of `GET /api/provider-connections` of the console, of this environment.',
  },
  payment_declined: {
    status: 402,
    title: 'The payment provider could not collect the payment, so nothing was changed.',
    fix: 'Show `detail` to the customer, and try again once the payment method works. You may reuse the key.',
  },
  provider_refused: {
    status: 409,
    title: 'The payment provider refused the request.',
    fix: 'Read `detail` and `providerCode`; compare a subscription with the provider’s in the console (`GET …/drift`).',
  },
  feature_not_metered: {
    status: 422,
    title: 'The feature is on or off and has no usage to record.',
    fix: 'Call check for it, or track a metered feature.',
  },
  webhook_stream_sandbox_only: {
    status: 409,
    title: 'Webhook messages can be streamed only in the sandbox.',
    fix: 'Use a sandbox key at the sandbox host. In production, create a webhook endpoint, and read messages that you missed with `GET /v1/webhook-messages`.',
  },
  sandbox_only: {
    status: 409,
    title: 'This works in the sandbox only.',
    fix: 'Repeat the request with `env=sandbox`; production always runs on real time.',
  },
  clock_no_boundary: {
    status: 409,
    title: 'Nothing in the sandbox is waiting for a later time.',
    fix: 'Send `to` with an instant, or open a subscription in the sandbox first.',
  },
  clock_too_many_steps: {
    status: 422,
    title: 'The advance would cause too many billing steps.',
    fix: 'Send an earlier `to`, then advance again once the sandbox has caught up.',
  },
  clock_backwards: {
    status: 409,
    title: 'The sandbox clock cannot be moved back.',
    fix: 'Choose a time after the sandbox’s current time.',
  },
  connection_disabled: {
    status: 409,
    title: 'The provider connection is disabled.',
    fix: 'Enable it with `"disabled": false`, or use another connection.',
  },
  secret_wrong_environment: {
    status: 422,
    title: 'The secret belongs to the other environment.',
    fix: 'Use the provider’s secret for this environment: sandbox and production share none.',
  },
  key_switch_refused: {
    status: 409,
    title: 'Not every running process holds this credential key.',
    fix: 'Give every api, worker and deliver process the key, with the same bytes under its id, restart them, and try again. `runtimes` names the other processes that lack it.',
  },
  checkout_not_open: {
    status: 409,
    title: 'The checkout is not open.',
    fix: 'Read its `status`. Create a new checkout, or cancel the subscription that it started and refund the payment.',
  },
} as const satisfies Record<string, ErrorDefinition>;
