import type { DbTransaction } from '../../db/pools';
import type { PlanAndSeats } from '../../domain/change-types';
import { isSamePlanAndSeats } from '../../domain/same-plan-and-seats';
import type { OperationContext, OperationOutcome } from '../operation-handler';
import { recordCommandEffect, type CommandEffect } from '../record-command-effect';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { saveBilledSubscription } from '../save-subscription-store';
import { answerChange, type ChangeOutcome } from '../change-resource';
import { recordWithdrawal } from '../withdraw-scheduled-change';

/** Saves a subscription after a command, with its history and the change that the command withdrew, if any. */
export async function saveCommandOutcome(
  trx: DbTransaction,
  context: OperationContext,
  before: BilledSubscription,
  next: BilledSubscription,
  { act, answer }: { act?: CommandEffect; answer: Omit<ChangeOutcome, 'withdrawn'> },
): Promise<OperationOutcome> {
  const { actor, now } = context;
  await saveBilledSubscription(trx, actor.scope, next, now);
  const after = await findBilledSubscription(trx, actor.scope, next.id, 'read');
  if (after === undefined) throw new Error('A subscription that was just written is missing.');
  const was = before.scheduled ?? before.work.request;
  const stays = after.scheduled ?? after.work.request;
  const withdrawn =
    was !== null && !isSamePlanAndSeats(was, stays) && !isSamePlanAndSeats(was, after) ? was : null;
  if (withdrawn !== null) await recordWithdrawal(trx, context, after, withdrawn);
  if (act !== undefined) await recordCommandEffect(trx, context, after, act);
  return {
    ...(await answerChange(trx, actor.scope, after.id, now, { ...answer, withdrawn })),
    subscription: after,
  };
}

/** Returns plan and seats only, as the history shows them. */
export function termsOf({ planId, planSlug, seats }: PlanAndSeats): PlanAndSeats {
  return { planId, planSlug, seats };
}
