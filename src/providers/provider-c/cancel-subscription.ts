import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { changeRenewal, type RenewalChange } from './change-renewal';

const RENEWING: ReadonlySet<string> = new Set(['active', 'attention']);
const stop: RenewalChange = {
  path: '/subscription/disable',
  judge: (status) => (RENEWING.has(status) ? 'open' : 'reached'),
  refusal: 'The payment provider did not stop the renewal. Nothing has changed.',
};

/**
 * Stops the renewal; the subscription runs to its next payment date and ends there. Also `done` if it has ended. The
 * provider states no period end once it does not renew, so `currentPeriodEnd` is null and the known one stays. It
 * stores no reason.
 */
export function cancelSubscription(
  access: ConnectionAccess,
  request: SubscriptionRequest,
): Promise<Outcome<SubscriptionFacts>> {
  return changeRenewal(access, request, stop);
}
