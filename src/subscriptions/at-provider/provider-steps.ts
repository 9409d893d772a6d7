import type { ProviderStep } from '../../domain/lifecycle';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { DueStep } from '../subscription-steps';
import { checkApproval } from './check-approval';
import { readAtPeriodEnd } from './read-at-period-end';
import { prepareChange } from './next-cycle-synchronizer';
import { readPastDue } from './read-past-due';
import { resolvePendingCall, type Attempt, type ProviderSide } from './resolve-pending-call';

/**
 * Runs a time step that needs the provider. Each step reads the row first and does nothing if the row no longer waits
 * for it, so it may be repeated.
 *
 * @throws UnknownOutcomeError before the last attempt
 */
export async function takeProviderStep(
  side: ProviderSide,
  scope: WorkspaceScope,
  due: DueStep & { step: ProviderStep },
  attempt: Attempt,
): Promise<void> {
  switch (due.step) {
    case 'settle_call':
      await resolvePendingCall(side, scope, due, { ...attempt, repeated: true });
      return;
    case 'read_back':
      await readAtPeriodEnd(side, scope, due, attempt);
      return;
    case 'prepare_change':
      await prepareChange(side, scope, due, attempt);
      return;
    case 'read_past_due':
      await readPastDue(side, scope, due, attempt);
      return;
    case 'check_approval':
      await checkApproval(side, scope, due, attempt);
  }
}
