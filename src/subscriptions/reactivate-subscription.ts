import { capabilitiesOf } from '../domain/capabilities';
import { requireCapability } from '../domain/require-capability';
import type { OperationHandler } from './operation-handler';

/**
 * Reverts a cancellation at the period's end, if the provider has one. Local billing cancels at once and has nothing to
 * revert.
 *
 * @throws TollgateError capability_unsupported, capability_unavailable
 */
export const reactivateSubscription: OperationHandler = (_trx, { now }, subscription) => {
  requireCapability('reactivate', capabilitiesOf(subscription, now));
  throw new Error('Local billing was said to support reactivation, and does not.');
};
