import type { DbTransaction } from '../../db/pools';
import { requireSettled } from '../../domain/capabilities';
import { withClaimed } from '../../domain/provider-calls';
import { settleAgainAfter } from '../../domain/provider-work';
import type { OperationContext } from '../commands/operation-handler';
import type { BilledSubscription } from '../billed-subscription';
import { saveBilledSubscription } from '../billed-subscription-store';
import type { Intended } from './intend-command';

/**
 * Writes down what the provider is about to be asked, before it is: whoever finds the row after a crash goes on from
 * there. One subscription has one command at its provider at a time: a claim in the place of another one would have
 * nobody ask what became of that one.
 *
 * @param subscription its row is locked
 * @throws TollgateError capability_unavailable while another command's claim stands
 */
export async function claimCalls(
  trx: DbTransaction,
  { operation, actor, now }: OperationContext,
  subscription: BilledSubscription,
  { intent, calls }: Intended,
): Promise<BilledSubscription> {
  requireSettled(subscription, now);
  const unsettled = {
    operationId: operation.id,
    intent,
    calls,
    // A refusal that is sent again is the customer's next attempt, and a new one for the provider.
    key: `${operation.id}-${operation.attempts}`,
    since: now,
    tries: 0,
    retryAt: settleAgainAfter(0, now),
  };
  const work = withClaimed(subscription.work, unsettled);
  return saveBilledSubscription(trx, actor.scope, { ...subscription, work }, now);
}
