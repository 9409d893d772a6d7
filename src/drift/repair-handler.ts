import { findConnection } from '../connections/connection-store';
import { connectionNotFound } from '../connections/require-connection';
import type { DbTransaction } from '../db/pools';
import { requireNoPendingCall } from '../domain/require-capability';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import type { RepairHandler, OperationContext, PreparedCommand } from '../subscriptions/operation-handler';
import { applyRepair, endMissing } from './apply-repair';
import { plansAtConnection } from './plans-at-connection';
import { repairCommand } from './repair-command';
import { callsToRestore } from '../domain/drift-restore';

/** The command `repair`: it resolves a difference between a subscription and its provider. */
export const repairHandler: RepairHandler = { run: endMissing, prepare: prepareRepair, apply: applyRepair };

/**
 * Returns the provider calls of a repair. If the provider's state is taken, there are none, because it is only read
 * again; if the local state is taken, they restore it at the provider. Null if the provider has nothing to do.
 *
 * @throws TollgateError capability_unavailable, plan_not_mapped
 */
async function prepareRepair(
  trx: DbTransaction,
  { operation, actor, now }: OperationContext,
  subscription: BilledSubscription,
): Promise<PreparedCommand | null> {
  const { take, found, endsMissing } = repairCommand.parse(operation.input);
  requireNoPendingCall(subscription, now);
  if (endsMissing) return null;
  if (take === 'provider') return { intent: { kind: 'repair', take }, calls: [] };
  const { connectionId } = subscription;
  const connection = connectionId === null ? undefined : await findConnection(trx, actor.scope, connectionId);
  if (connection === undefined) throw connectionNotFound(connectionId ?? '');
  const plans = await plansAtConnection(trx, actor.scope, connection);
  const fields = found.map(({ field }) => field);
  return { intent: { kind: 'repair', take }, calls: callsToRestore(subscription, fields, plans) };
}
