import { together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { takeStep, withOpenPayments } from '../domain/lifecycle';
import { displayMoney } from '../domain/display-text';
import { snapshotTax } from '../domain/tax';
import { toMoney } from '../schemas/money';
import { taxAtCall } from '../settings/earlier-tax-store';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';
import { asSaved, saveSubscriptionCall } from './save-subscription-store';
import { chargeOfPeriod } from './charge-period';
import { appliedChangeCalls, stepCalls, type StepOutcome, type StepUnderWay } from './step-history';
import {
  insertTransactionCall,
  openDueAtsCall,
  openDueAtsOf,
  type TransactionRow,
} from './transaction-store';

/** The end of a period, or of the trial before the first paid one. */
export type PeriodStep = StepUnderWay & { step: 'turn_period' | 'end_trial' };

/**
 * Begins the next period on the terms scheduled for it, with the price and tax at its boundary, and with its charge.
 *
 * @param subscription its row is locked
 */
export async function beginPeriod(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  step: PeriodStep,
): Promise<BilledSubscription> {
  const [taxSettings, openDueAts] = await together(trx, [
    taxAtCall(scope, step.boundary),
    openDueAtsCall(scope, subscription.id),
  ]);
  const turned = {
    ...takeStep(withNextTerms(subscription, step), step.step),
    tax: snapshotTax(taxSettings, subscription.customerCountry),
  };
  const kind = step.step === 'end_trial' ? 'initial' : 'renewal';
  const transaction = chargeOfPeriod(kind, turned);
  const next = withOpenPayments(turned, [...openDueAts, ...openDueAtsOf(transaction)], step.boundary);
  const after = asSaved(next);
  const { scheduled } = subscription;
  await together(trx, [
    insertTransactionCall(scope, transaction),
    // However late the step runs, the former plan's quota applied only to usage periods before the boundary.
    saveSubscriptionCall(scope, next, scheduled === null ? step.at : step.boundary),
    ...(scheduled === null
      ? []
      : appliedChangeCalls(scope, { before: subscription, scheduled, after }, step)),
    ...stepCalls(scope, after, step, outcomeOf(after, transaction, step)),
  ]);
  return after;
}

/**
 * Applies the plan, seats and price of the next period. The step itself handles the interval of a scheduled change,
 * because it counts periods from it. A subscription that began with a trial pays the price offered then: a new price of
 * the plan applies from the next renewal.
 */
function withNextTerms(subscription: BilledSubscription, { step }: PeriodStep): BilledSubscription {
  const { scheduled, planUnitAmount } = subscription;
  if (scheduled !== null) {
    const { planId, planSlug, seats, unitAmount, pricing } = scheduled;
    return {
      ...subscription,
      planId,
      planSlug,
      seats,
      unitAmount,
      pricing,
      planUnitAmount: unitAmount,
      nextPeriodIsFree: unitAmount === 0n,
      scheduled: null,
    };
  }
  return step === 'end_trial' ? subscription : { ...subscription, unitAmount: planUnitAmount };
}

function outcomeOf(
  after: BilledSubscription,
  { id, status, total, currency }: TransactionRow,
  { step }: PeriodStep,
): StepOutcome {
  const end = new Date(after.currentPeriodEnd).toISOString();
  const costs = status === 'paid' ? 'nothing is due' : `${displayMoney({ amount: total, currency })} is due`;
  const data = { transactionId: id, total: toMoney(total, currency) };
  const { externalId, planSlug } = after;
  if (step === 'end_trial') {
    const message = `${externalId}'s trial of ${planSlug} ended; the first paid period lasts until ${end}, and ${costs}.`;
    return { kind: 'trial_ended', message, data };
  }
  const message = `${externalId} renewed ${planSlug}; the period lasts until ${end}, and ${costs}.`;
  return { kind: 'period_turned', message, data };
}
