/** Refusal of a change because nothing shows which of a subscription's items at the provider is the plan's. */
export const AMBIGUOUS_ITEM = {
  code: 'ambiguous_item',
  reason:
    'The subscription has several items at the payment provider. Tollgate changes subscriptions with one item only.',
} as const;
