import type { DbTransaction } from '../../db/pools';
import type { PlanAndSeats } from '../../domain/change-types';
import { isSamePlanAndSeats } from '../../domain/same-plan-and-seats';
import { upcomingChange } from '../../domain/upcoming-changes';
import type { OperationContext, OperationOutcome } from '../operation-handler';
import { recordCommandEffect, type CommandEffect } from '../record-command-effect';
import type { BilledSubscription } from '../billed-subscription';
import { saveBilledSubscription } from '../save-subscription-store';
import { type ChangeOutcome, changeAnswer } from '../change-resource';
import { recordWithdrawal } from '../withdraw-scheduled-change';
import { requireWritten } from '../require-subscription';
import { findSubscription } from '../subscription-store';

/** Saves a subscription after a command, with its history and the change that the command withdrew, if any. */
export async function saveCommandOutcome(
  trx: DbTransaction,
  context: OperationContext,
  before: BilledSubscription,
  next: BilledSubscription,
  { effect, answer }: { effect?: CommandEffect; answer: Omit<ChangeOutcome, 'withdrawn'> },
): Promise<OperationOutcome> {
  const { actor, now } = context;
  await saveBilledSubscription(trx, actor.scope, next, now);
  const after = requireWritten(await findSubscription(trx, actor.scope, next.id));
  const was = upcomingChange(before);
  const stays = upcomingChange(after);
  const withdrawn =
    was !== null && !isSamePlanAndSeats(was, stays) && !isSamePlanAndSeats(was, after) ? was : null;
  if (withdrawn !== null) await recordWithdrawal(trx, context, after, withdrawn);
  if (effect !== undefined) await recordCommandEffect(trx, context, after, effect);
  return { ...changeAnswer(after, now, { ...answer, withdrawn }), subscription: after };
}

/** Returns plan and seats only, as the history shows them. */
export function termsOf({ planId, planSlug, seats }: PlanAndSeats): PlanAndSeats {
  return { planId, planSlug, seats };
}
