import type { ProviderStep } from '../../domain/lifecycle';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { DueStep } from '../subscription-steps';
import { checkApproval } from './check-approval';
import { syncAtPeriodEnd } from './sync-at-period-end';
import { prepareChange } from './next-cycle-synchronizer';
import { readPastDue } from './read-past-due';
import { resolvePendingCall, type ProviderSide } from './resolve-pending-call';

/**
 * Runs a time step that needs the provider. Each step reads the row first and does nothing if the row no longer waits
 * for it, so it may be repeated.
 *
 * @param lastTry an unknown outcome is recorded with the time of the next try; on earlier tries it is thrown
 * @throws UnknownOutcomeError
 */
export async function takeProviderStep(
  side: ProviderSide,
  scope: WorkspaceScope,
  due: DueStep & { step: ProviderStep },
  lastTry: boolean,
): Promise<void> {
  const { subscriptionId, at } = due;
  switch (due.step) {
    case 'settle_call':
      await resolvePendingCall(side, scope, { subscriptionId, at, repeated: true, lastTry });
      return;
    case 'read_back':
      await syncAtPeriodEnd(side, scope, due, lastTry);
      return;
    case 'prepare_change':
      await prepareChange(side, scope, due, lastTry);
      return;
    case 'read_past_due':
      await readPastDue(side, scope, due, lastTry);
      return;
    case 'check_approval':
      await checkApproval(side, scope, due, lastTry);
  }
}
