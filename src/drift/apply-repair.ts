import { hasEnded } from '../domain/subscription-types';
import { findConnection } from '../connections/connection-store';
import type { DbTransaction } from '../db/pools';
import { driftOf, type DriftReading } from '../domain/drift';
import { repairedByProvider } from '../domain/drift-repair';
import { cancelNow } from '../domain/lifecycle';
import { reconcileFacts } from '../domain/provider-reconciliation';
import { NO_WORK } from '../domain/provider-work';
import { NO_PLANS, type PlansAtProvider } from '../domain/terms-at-provider';
import type {
  AcceptedRepair,
  OperationContext,
  OperationHandler,
  OperationOutcome,
} from '../subscriptions/operation-handler';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import type { WorkspaceScope } from '../tenancy/actor';
import { withChargeOfPeriod } from '../payments/charge-of-period';
import { plansAtConnection } from './plans-at-connection';
import { nothingToCompare, repairCommand } from './repair-command';
import { writeRepair, type Repair } from './write-repair';

/**
 * Applies a repair after the provider was read or updated. The provider's current state counts, and the response lists
 * the remaining differences.
 *
 * @param before locked, and without a pending call
 */
export async function applyRepair(
  trx: DbTransaction,
  context: OperationContext,
  before: BilledSubscription,
  { intent: { take }, outcome }: AcceptedRepair,
): Promise<OperationOutcome> {
  const { now, actor } = context;
  const reading: DriftReading =
    'value' in outcome
      ? {
          kind: 'read',
          facts: await withChargeOfPeriod(trx, actor.scope, before, outcome.value),
          billing: outcome.value.billing,
        }
      : { kind: 'unread', reason: 'The payment provider is waiting for the customer.' };
  const plans = await plansOf(trx, actor.scope, before);
  return writeRepair(trx, context, { before, ...repaired(), take }, (after) =>
    driftOf(after, reading, plans, now),
  );

  function repaired(): Omit<Repair, 'before' | 'take'> {
    if (reading.kind !== 'read') return { next: before, consequences: [], isSuspended: false };
    const { facts } = reading;
    const { view, consequences } = reconcileFacts(before, facts, { now, failedAt: null });
    return {
      next: take === 'provider' ? repairedByProvider(before, facts, plans, now) : view,
      consequences,
      isSuspended: facts.isSuspended === true,
    };
  }
}

/**
 * Ends a subscription that does not exist at its provider, on an operator's request: the provider will never bill or
 * end it.
 *
 * @throws TollgateError capability_unsupported for local billing
 */
export const endMissing: OperationHandler = async (trx, context, before) => {
  const { now, operation, actor } = context;
  if (before.provider === 'internal') throw nothingToCompare();
  const { take, endsMissing } = repairCommand.parse(operation.input);
  if (!endsMissing) throw new Error('A repair is carried out together with the provider.');
  const ended = { ...cancelNow(before), scheduled: null, cancelledAt: now, work: NO_WORK };
  const next = hasEnded(before.status) ? before : ended;
  const plans = await plansOf(trx, actor.scope, before);
  return writeRepair(trx, context, { before, next, take, consequences: [], isSuspended: false }, (after) =>
    driftOf(after, { kind: 'missing' }, plans, now),
  );
};

async function plansOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { connectionId }: BilledSubscription,
): Promise<PlansAtProvider> {
  const connection = connectionId === null ? undefined : await findConnection(trx, scope, connectionId);
  if (connection === undefined) return NO_PLANS;
  return plansAtConnection(trx, scope, connection);
}
