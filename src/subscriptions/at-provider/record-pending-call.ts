import { findConnection } from '../../connections/connection-store';
import { secretVersionOf } from '../../connections/secret-version';
import type { DbTransaction } from '../../db/pools';
import { requireNoPendingCall } from '../../domain/require-capability';
import { withPendingCall } from '../../domain/provider-calls';
import { retryPendingCallAt } from '../../domain/provider-work';
import type { OperationContext, PreparedCommand } from '../operation-handler';
import type { BilledSubscription } from '../billed-subscription';
import { saveBilledSubscription } from '../save-subscription-store';

/**
 * Records the calls in the row before they are made, so that processing resumes from the row after a crash. A
 * subscription has at most one pending call, because overwriting it would lose the first one's outcome.
 *
 * @param subscription its row is locked
 * @throws TollgateError capability_unavailable while another command's call is pending
 */
export async function recordPendingCall(
  trx: DbTransaction,
  { operation, actor, now }: OperationContext,
  subscription: BilledSubscription,
  { intent, calls }: PreparedCommand,
): Promise<BilledSubscription> {
  requireNoPendingCall(subscription, now);
  const { connectionId } = subscription;
  const connection = connectionId === null ? undefined : await findConnection(trx, actor.scope, connectionId);
  const unsettled = {
    operationId: operation.id,
    intent,
    calls,
    // Retrying a refused command is a new attempt for the provider too.
    key: `${operation.id}-${operation.attempts}`,
    since: now,
    tries: 0,
    retryAt: retryPendingCallAt(0, now),
    sent: false,
    ...(connection !== undefined && { secretVersion: secretVersionOf(connection) }),
  };
  const work = withPendingCall(subscription.work, unsettled);
  return saveBilledSubscription(trx, actor.scope, { ...subscription, work }, now);
}
