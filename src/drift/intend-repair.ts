import { findConnection } from '../connections/connection-store';
import { connectionNotFound } from '../connections/require-connection';
import type { DbTransaction } from '../db/pools';
import { requireSettled } from '../domain/capabilities';
import { callsToRestore } from '../domain/drift-repair';
import type { ProviderCall, ProviderIntent } from '../domain/provider-work';
import type { OperationContext } from '../subscriptions/commands/operation-handler';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { plansAtConnection } from './plans-at-connection';
import { repairCommand } from './repair-command';

/**
 * What the provider is asked for a repair: nothing where its own word counts, so that it is only read again; and where
 * ours does, to be what is here. Null where it has nothing to be asked for.
 *
 * @throws TollgateError capability_unavailable, plan_not_mapped
 */
export async function intendRepair(
  trx: DbTransaction,
  { operation, actor, now }: Pick<OperationContext, 'operation' | 'actor' | 'now'>,
  subscription: BilledSubscription,
): Promise<{ intent: ProviderIntent; calls: ProviderCall[] } | null> {
  const { take, found, endsMissing } = repairCommand.parse(operation.input);
  requireSettled(subscription, now);
  if (endsMissing) return null;
  if (take === 'provider') return { intent: { kind: 'repair', take }, calls: [] };
  const { connectionId } = subscription;
  const connection = connectionId === null ? undefined : await findConnection(trx, actor.scope, connectionId);
  if (connection === undefined) throw connectionNotFound(connectionId ?? '');
  const plans = await plansAtConnection(trx, actor.scope, connection);
  const fields = found.map(({ field }) => field);
  return { intent: { kind: 'repair', take }, calls: callsToRestore(subscription, fields, plans) };
}
