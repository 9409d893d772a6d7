import type { CheckoutClockwork } from '../src/checkouts/checkout-clockwork';
import type { CheckoutActivities, CheckoutView } from '../workflows/activity-types';
import { withSafeFailures } from './failures';

export interface CheckoutActivityDependencies {
  checkouts: CheckoutClockwork;
}

export function createCheckoutActivities({ checkouts }: CheckoutActivityDependencies): CheckoutActivities {
  return {
    loadCheckout: ({ workspaceId, environment, checkoutId }) =>
      withSafeFailures(async () => toView(await checkouts.read({ workspaceId, environment }, checkoutId))),

    expireCheckout: ({ workspaceId, environment, checkoutId, at }) =>
      withSafeFailures(async () =>
        toView(await checkouts.expire({ workspaceId, environment }, checkoutId, at)),
      ),
  };
}

function toView(state: CheckoutView | undefined): CheckoutView | null {
  if (state === undefined) return null;
  const { open, expiresAt, clockOffset } = state;
  return { open, expiresAt, clockOffset };
}
