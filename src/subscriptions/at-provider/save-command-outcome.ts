import type { DbTransaction } from '../../db/pools';
import type { PlanAndSeats } from '../../domain/change-types';
import { droppedChanges } from '../../domain/upcoming-changes';
import type { OperationContext, OperationOutcome } from '../operation-handler';
import { recordCommandEffect, type CommandEffect } from '../record-command-effect';
import type { BilledSubscription } from '../billed-subscription';
import { saveBilledSubscription } from '../save-subscription-store';
import { type ChangeOutcome, changeAnswer } from '../change-resource';
import { recordWithdrawal } from '../withdraw-scheduled-change';
import { requireWritten } from '../require-subscription';
import { findSubscription } from '../subscription-store';

interface SavedOutcome {
  effect?: CommandEffect;
  answer: Omit<ChangeOutcome, 'withdrawn'>;
  /** Target of a requested change. */
  to?: PlanAndSeats;
}

/** Saves a subscription after a command, with its history and the changes that the command withdrew. */
export async function saveCommandOutcome(
  trx: DbTransaction,
  context: OperationContext,
  before: BilledSubscription,
  next: BilledSubscription,
  { effect, answer, to }: SavedOutcome,
): Promise<OperationOutcome> {
  const { actor, now } = context;
  await saveBilledSubscription(trx, actor.scope, next, now);
  const after = requireWritten(await findSubscription(trx, actor.scope, next.id));
  const dropped = droppedChanges(before, after, to);
  for (const withdrawn of dropped) await recordWithdrawal(trx, context, after, withdrawn);
  if (effect !== undefined) await recordCommandEffect(trx, context, after, effect);
  return { ...changeAnswer(after, now, { ...answer, withdrawn: dropped[0] ?? null }), subscription: after };
}

/** Returns plan and seats only, as the history shows them. */
export function termsOf({ planId, planSlug, seats }: PlanAndSeats): PlanAndSeats {
  return { planId, planSlug, seats };
}
