import { CONNECTION_DISABLED, RENEWAL_PREPARED, UNSETTLED } from './capabilities';
import type { Reason } from './capability-support';
import type { Instant } from './instant';
import { isConfirmedByCustomer } from './needs-confirmation';
import { mayBePrepared, mayHaveRenewed } from './provider-calls';
import type { ProviderWork } from './provider-work';

/** Provider B has the new plan as soon as it is approved, and only another approval changes it back. */
const CONFIRMED: Reason = {
  reasonCode: 'confirmed_at_provider',
  reason:
    'This change has been confirmed at the payment provider. Request a change back to the current plan instead.',
};

type WithdrawalView = Parameters<typeof isConfirmedByCustomer>[0] &
  Parameters<typeof mayHaveRenewed>[0] & {
    work: Pick<ProviderWork, 'request' | 'unsettled' | 'sync'>;
    /** Whether the connection that bills it is disabled; omitted in local billing. */
    connectionDisabled?: boolean;
  };

/** Returns which change a withdrawal applies to: one that awaits approval comes first. Null if there is none. */
export function withdrawnFirst({ scheduled, work }: WithdrawalView): 'approval' | 'scheduled' | null {
  if (work.request !== null) return 'approval';
  return scheduled === null ? null : 'scheduled';
}

/** Returns why that change cannot be withdrawn at `now`; null if it can. */
export function obstacleToWithdrawal(view: WithdrawalView, now: Instant): Reason | null {
  if (view.work.unsettled !== null) return UNSETTLED;
  if (withdrawnFirst(view) !== 'scheduled') return null;
  if (isConfirmedByCustomer(view)) return CONFIRMED;
  if (mayHaveRenewed(view, now)) return RENEWAL_PREPARED;
  // The prepared price has to be reverted at the provider.
  return mayBePrepared(view) && view.connectionDisabled === true ? CONNECTION_DISABLED : null;
}
