import { capabilitiesOf } from '../domain/capabilities';
import { requireCapability } from '../domain/require-capability';
import type { OperationHandler } from './operation-handler';

/**
 * Takes a cancellation at the period's end back, where the provider has one. Local billing cancels at once and has
 * nothing to take back.
 *
 * @throws TollgateError capability_unsupported, capability_unavailable
 */
export const reactivateSubscription: OperationHandler = (_trx, { now }, subscription) => {
  requireCapability('reactivate', capabilitiesOf(subscription, now));
  throw new Error('Local billing was said to support reactivation, and does not.');
};
