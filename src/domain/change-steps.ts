import { displayDay, displayMoney, displayPlan } from './display-text';
import type { ChangeableSubscription, ChangePlan, PlanAndSeats } from './change-types';

/**
 * Describes what a change does, step by step, for people.
 *
 * @param withdrawn the changes that it replaces
 */
export function stepsInWords(
  subscription: ChangeableSubscription,
  plan: Omit<ChangePlan, 'steps'>,
  withdrawn: readonly PlanAndSeats[],
): string[] {
  const withdrawals = withdrawn.map((one) => `The scheduled change to ${displayPlan(one)} is withdrawn.`);
  return [...withdrawals, ...changeInWords(subscription, plan)];
}

function changeInWords(
  subscription: ChangeableSubscription,
  { effective, effectiveAt, from, to, transaction }: Omit<ChangePlan, 'steps'>,
): string[] {
  const [current, target] = [displayPlan(from), displayPlan(to)];
  const day = displayDay(subscription.timeZone, effectiveAt);
  switch (effective) {
    case 'immediate': {
      const moved = `The subscription changes from ${current} to ${target} immediately.`;
      return immediateInWords(subscription, moved, transaction);
    }
    case 'next_renewal':
      return [
        `The subscription stays on ${current} until it renews on ${day}. Nothing is charged before.`,
        `From ${day}, it is on ${target}.`,
      ];
    case 'after_confirmation':
      return [
        'The customer confirms the change at the payment provider.',
        `The subscription stays on ${current} until then, and nothing is charged for the current period.`,
        `Once confirmed, it changes to ${target} at the next renewal, which is on ${day}.`,
      ];
  }
}

/** Adds what an immediate change costs. Provider A makes the change only once it is paid. */
function immediateInWords(
  { timeZone, status, provider }: ChangeableSubscription,
  moved: string,
  transaction: ChangePlan['transaction'],
): string[] {
  if (status === 'trialing')
    return [moved, 'Nothing is charged during the trial, and the trial end does not change.'];
  if (transaction === null) return [moved];
  const total = displayMoney({ amount: transaction.total, currency: transaction.currency });
  if (provider === 'provider_a')
    return [`The payment provider charges about ${total} for the rest of the period.`, moved];
  if (transaction.total === 0n) return [moved, 'Nothing is charged for the rest of the period.'];
  const due = displayDay(timeZone, transaction.dueAt);
  return [moved, `${total} for the rest of the period is due by ${due}.`];
}
