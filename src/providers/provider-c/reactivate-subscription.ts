import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { changeRenewal, type RenewalChange } from './change-renewal';

const ENDED: ReadonlySet<string> = new Set(['complete', 'completed', 'cancelled']);

const reactivation: RenewalChange = {
  path: '/subscription/enable',
  judge: (status) => {
    if (status === 'non-renewing') return 'open';
    return ENDED.has(status) ? 'unreachable' : 'reached';
  },
  refusal: 'The payment provider did not resume the renewal. Nothing has changed.',
};

/** Resumes the renewal before the next payment date. After it, `declined` with `subscription_ended`. */
export function reactivateSubscription(
  access: ConnectionAccess,
  request: SubscriptionRequest,
): Promise<Outcome<SubscriptionFacts>> {
  return changeRenewal(access, request, reactivation);
}
