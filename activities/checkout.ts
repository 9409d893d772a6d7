import type { CheckoutTimers, CheckoutState } from '../src/checkouts/checkout-timers';
import type { ProviderCheckouts } from '../src/checkouts/provider-checkouts';
import type {
  CheckoutActivities,
  CheckoutView,
  ProviderCheckoutActivities,
} from '../workflows/activity-types';
import { withHeartbeat } from './with-heartbeat';
import { withRefusals, withSafeFailures } from './failures';

export interface CheckoutActivityDependencies {
  checkoutTimers: CheckoutTimers;
  providerCheckouts: ProviderCheckouts;
}

export function createCheckoutActivities({
  checkoutTimers,
  providerCheckouts,
}: CheckoutActivityDependencies): CheckoutActivities {
  return {
    loadCheckout: ({ workspaceId, environment, checkoutId }) =>
      withSafeFailures(async () =>
        toView(await checkoutTimers.read({ workspaceId, environment }, checkoutId)),
      ),

    expireCheckout: ({ workspaceId, environment, checkoutId, at }) =>
      withSafeFailures(async () =>
        toView(await checkoutTimers.expire({ workspaceId, environment }, checkoutId, at)),
      ),

    // Refusals are stored. An internal error ends the command after some tries, like any other.
    reserveCheckout: ({ workspaceId, environment, checkoutId, operationId, attempt = operationId }) =>
      withRefusals(attempt, async () => {
        const scope = { workspaceId, environment };
        return toView(await providerCheckouts.prepare(scope, checkoutId, operationId));
      }),
  };
}

/** Creates the activities that call a checkout's payment provider. */
export function createProviderCheckoutActivities({
  providerCheckouts,
}: CheckoutActivityDependencies): ProviderCheckoutActivities {
  return {
    createCheckoutAtProvider: ({ workspaceId, environment, checkoutId }) =>
      withSafeFailures(async () =>
        toView(await withHeartbeat(() => providerCheckouts.create({ workspaceId, environment }, checkoutId))),
      ),

    settleCheckoutAtProvider: ({ workspaceId, environment, checkoutId, givenUp }) =>
      withSafeFailures(async () => {
        const scope = { workspaceId, environment };
        return toView(await withHeartbeat(() => providerCheckouts.sync(scope, checkoutId, { givenUp })));
      }),
  };
}

/**
 * Copies member by member, because histories store the view: new members of the state stay out, and the task `sync`
 * keeps its name in stored histories (`settle`).
 */
function toView(state: CheckoutState | undefined): CheckoutView | null {
  if (state === undefined) return null;
  const { open, expiresAt, clockOffset, atProvider } = state;
  const view = { open, expiresAt, clockOffset };
  if (atProvider === undefined) return view;
  if (atProvider === null) return { ...view, atProvider };
  const { task, at } = atProvider;
  return { ...view, atProvider: { task: task === 'sync' ? 'settle' : task, at } };
}
