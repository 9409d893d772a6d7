import type { CheckoutClockwork } from '../src/checkouts/checkout-clockwork';
import type { ProviderCheckouts } from '../src/checkouts/provider-checkouts';
import type {
  CheckoutActivities,
  CheckoutView,
  ProviderCheckoutActivities,
} from '../workflows/activity-types';
import { beating } from './beating';
import { withSafeFailures } from './failures';

export interface CheckoutActivityDependencies {
  checkouts: CheckoutClockwork;
  providerCheckouts: ProviderCheckouts;
}

export function createCheckoutActivities({
  checkouts,
  providerCheckouts,
}: CheckoutActivityDependencies): CheckoutActivities {
  return {
    loadCheckout: ({ workspaceId, environment, checkoutId }) =>
      withSafeFailures(async () => toView(await checkouts.read({ workspaceId, environment }, checkoutId))),

    expireCheckout: ({ workspaceId, environment, checkoutId, at }) =>
      withSafeFailures(async () =>
        toView(await checkouts.expire({ workspaceId, environment }, checkoutId, at)),
      ),

    reserveCheckout: ({ workspaceId, environment, checkoutId, operationId }) =>
      withSafeFailures(async () => {
        const scope = { workspaceId, environment };
        return toView(await providerCheckouts.reserve(scope, checkoutId, operationId));
      }),
  };
}

/** What is done to checkouts together with their payment providers. */
export function createProviderCheckoutActivities({
  providerCheckouts,
}: CheckoutActivityDependencies): ProviderCheckoutActivities {
  return {
    createCheckoutAtProvider: ({ workspaceId, environment, checkoutId }) =>
      withSafeFailures(async () =>
        toView(await beating(() => providerCheckouts.create({ workspaceId, environment }, checkoutId))),
      ),

    settleCheckoutAtProvider: ({ workspaceId, environment, checkoutId, givenUp }) =>
      withSafeFailures(async () => {
        const scope = { workspaceId, environment };
        return toView(await beating(() => providerCheckouts.settle(scope, checkoutId, { givenUp })));
      }),
  };
}

/** Member by member: what the state gains later stays out of the history. */
function toView(state: CheckoutView | undefined): CheckoutView | null {
  if (state === undefined) return null;
  const { open, expiresAt, clockOffset, atProvider } = state;
  const view = { open, expiresAt, clockOffset };
  return atProvider === undefined ? view : { ...view, atProvider };
}
