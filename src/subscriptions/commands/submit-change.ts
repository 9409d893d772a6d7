import type { Database, DbTransaction } from '../../db/pools';
import { inWorkspace } from '../../db/workspace-transaction';
import { isTollgateError } from '../../domain/errors';
import { opensAgain } from '../../domain/operation-status';
import { findStoredAnswer, type Claim } from '../../idempotency/idempotency-store';
import { findOperationOfKey } from '../../operations/operation-store';
import type { Operations } from './operation-service';
import type { PlanPrices } from '../../plan-prices/plan-price-service';
import type { Actor } from '../../tenancy/actor';
import { findBilledSubscription } from '../billed-subscription-store';
import type { ChangeOrder } from '../change-order';
import { planRequestedChange, targetOfChange } from '../plan-requested-change';
import { pricedChange, type PricedChange } from '../priced-change';
import type { SubmitResult } from '../../operations/submit-result';

/** Accepts subscription changes. */
export interface Changes {
  /**
   * Submits the change. A known key is not validated again, unless its operation was refused or abandoned. The price at
   * the payment provider is compared before the change is accepted, because a change that waits for its renewal does
   * not call the provider yet. A change that is refused anyway is refused for that reason, as its preview is.
   *
   * @throws TollgateError plan_price_differs, and those of `Operations.submit`
   */
  submit(actor: Actor, subscriptionId: string, input: ChangeOrder, claim: Claim): Promise<SubmitResult>;
}

export function createChanges(options: {
  database: Database;
  operations: Pick<Operations, 'submit'>;
  planPrices: Pick<PlanPrices, 'requireSame'>;
}): Changes {
  const { database, operations, planPrices } = options;
  return {
    async submit(actor, id, input, claim) {
      const sale = await inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope } = actor;
        if ((await findStoredAnswer(trx, scope, claim)) !== undefined) return null;
        const known = await findOperationOfKey(trx, scope, claim.key);
        if (known !== undefined && !opensAgain(known.status)) return null;
        const subscription = await findBilledSubscription(trx, scope, id, 'read');
        if (subscription === undefined || subscription.provider === 'internal') return null;
        return saleOrNone(async () => {
          const target = await targetOfChange(trx, scope, subscription, input);
          return pricedChange(trx, scope, subscription, target, input.seats ?? subscription.seats);
        });
      });
      if (sale !== null) {
        try {
          await planPrices.requireSame(actor, sale.connectionId, sale.plan);
        } catch (error) {
          await inWorkspace(database, actor.scope, actor.reason, (trx) =>
            requirePossible(trx, actor, id, input),
          );
          throw error;
        }
      }
      const command = { kind: 'change', subscriptionId: id, targetId: id, input } as const;
      return operations.submit(actor, command, claim);
    },
  };
}

/** @throws TollgateError the refusal of the change itself */
async function requirePossible(
  trx: DbTransaction,
  { scope, now }: Actor,
  id: string,
  input: ChangeOrder,
): Promise<void> {
  const subscription = await findBilledSubscription(trx, scope, id, 'read');
  if (subscription !== undefined) await planRequestedChange(trx, scope, subscription, input, now);
}

/** Returns null on an error in the request, which the command itself reports, in its own order. */
async function saleOrNone(find: () => Promise<PricedChange | null>): Promise<PricedChange | null> {
  try {
    return await find();
  } catch (error) {
    if (isTollgateError(error)) return null;
    throw error;
  }
}
