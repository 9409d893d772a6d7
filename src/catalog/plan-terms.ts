import { TollgateError } from '../domain/errors';
import { MAX_AMOUNT, type Money } from '../domain/money';
import { periodPrice } from '../domain/proration';
import type { PlanChange, PlanRow } from './plan-store';

/** A parsed change of a plan; undefined members are unchanged. */
export interface PlanUpdate {
  name?: string | undefined;
  price?: Money | undefined;
  trialDays?: number | undefined;
  entityLimit?: number | null | undefined;
  metadata?: PlanRow['metadata'] | undefined;
  planGroupId?: string | undefined;
  interval?: PlanRow['billingInterval'] | undefined;
  pricing?: PlanRow['pricing'] | undefined;
}

/** Returns the columns that an update writes. */
export function columnsOf(update: PlanUpdate): Omit<PlanChange, 'updatedAt'> {
  return {
    ...(update.name === undefined ? {} : { name: update.name }),
    ...(update.price === undefined
      ? {}
      : { priceAmount: update.price.amount.toString(), priceCurrency: update.price.currency }),
    ...(update.trialDays === undefined ? {} : { trialDays: update.trialDays }),
    ...(update.entityLimit === undefined ? {} : { entityLimit: update.entityLimit }),
    ...(update.metadata === undefined ? {} : { metadata: update.metadata }),
    ...(update.planGroupId === undefined ? {} : { planGroupId: update.planGroupId }),
    ...(update.interval === undefined ? {} : { billingInterval: update.interval }),
    ...(update.pricing === undefined ? {} : { pricing: update.pricing }),
  };
}

/**
 * Refuses to change the terms that subscribers' periods, invoices and the one-subscription rule depend on. Price, trial
 * and name may change: a new price applies from the next renewal.
 *
 * @throws TollgateError plan_terms_fixed, with a pointer for each such member that differs
 */
export function refuseFixedTerms(plan: PlanRow, change: Partial<PlanRow>): void {
  const fixed = [
    { column: 'planGroupId', pointer: '/planGroupId', name: 'plan group' },
    { column: 'priceCurrency', pointer: '/price/currency', name: 'currency' },
    { column: 'billingInterval', pointer: '/interval', name: 'interval' },
    { column: 'pricing', pointer: '/pricing', name: 'pricing' },
  ] as const;
  const differing = fixed.filter(
    ({ column }) => change[column] !== undefined && change[column] !== plan[column],
  );
  if (differing.length === 0) return;
  const names = differing.map(({ name }) => name).join(', ');
  throw new TollgateError(
    'plan_terms_fixed',
    `The plan "${plan.slug}" has or had subscriptions, or is the target of a change that is scheduled or may still be approved, so its ${names} cannot change.`,
    {
      errors: differing.map(({ pointer, name }) => ({
        pointer,
        message: `the ${name} is fixed`,
        fix: 'Leave it out, or create a new plan.',
      })),
    },
  );
}

/**
 * Refuses a price at which the next period of a subscription could not be recorded, because it would never renew.
 *
 * @param seats the highest number of any subscription on the plan
 * @throws TollgateError validation_failed (`/price/amount`)
 */
export function refuseUnrecordablePrice({ pricing, priceAmount, slug }: PlanRow, seats: number): void {
  if (periodPrice({ unitAmount: BigInt(priceAmount), pricing, seats }) <= MAX_AMOUNT) return;
  const many = seats === 1 ? 'seat' : `${seats} seats`;
  const message = `is too large for the ${many} of a subscription on "${slug}" (18 digits of minor units)`;
  throw new TollgateError('validation_failed', `/price/amount: ${message}`, {
    errors: [{ pointer: '/price/amount', message, fix: 'Send a lower price, or create a new plan.' }],
  });
}
