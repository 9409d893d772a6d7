import { RENEWAL_PREPARED, UNSETTLED } from './capabilities';
import type { Reason } from './capability-support';
import type { Instant } from './instant';
import { isConfirmedByCustomer } from './needs-confirmation';
import { mayHaveRenewed } from './provider-calls';
import type { ProviderWork } from './provider-work';

/** Provider B has the new plan from the moment of the approval, and nothing but another approval changes it back. */
const CONFIRMED: Reason = {
  reasonCode: 'confirmed_at_provider',
  reason:
    'The customer has confirmed this change at the payment provider. Request a change back to the current plan instead.',
};

type WithdrawalView = Parameters<typeof isConfirmedByCustomer>[0] &
  Parameters<typeof mayHaveRenewed>[0] & { work: Pick<ProviderWork, 'request' | 'unsettled' | 'sync'> };

/** Which change a withdrawal takes back: the one that has still to be approved comes first. Null where none waits. */
export function withdrawnFirst({ scheduled, work }: WithdrawalView): 'approval' | 'scheduled' | null {
  if (work.request !== null) return 'approval';
  return scheduled === null ? null : 'scheduled';
}

/** Why that change cannot be taken back at `now`; null where it can. */
export function obstacleToWithdrawal(view: WithdrawalView, now: Instant): Reason | null {
  if (view.work.unsettled !== null) return UNSETTLED;
  if (withdrawnFirst(view) !== 'scheduled') return null;
  if (isConfirmedByCustomer(view)) return CONFIRMED;
  return mayHaveRenewed(view, now) ? RENEWAL_PREPARED : null;
}
