import { z } from 'zod';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspaceSnapshot } from '../db/workspace-transaction';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { readSettings } from '../settings/settings-store';
import { subscriptionSchema, toSubscriptionResource } from './subscription-resource';
import { listSubscriptionsOf } from './subscription-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { readBalanceRows, readHeld } from '../customers/balance-store';
import { balancesOf } from '../customers/balances';
import { sumSpendableCredits } from '../customers/credit-store';
import { balanceSchema, customerSchema, toCustomerResource } from '../customers/customer-resource';
import { findCustomer, type CustomerRow, requireCustomer } from '../customers/customer-store';
/** A customer with its subscriptions and balances. */
export const customerOverviewSchema = customerSchema
  .extend({
    subscriptions: z.array(subscriptionSchema).meta({
      description: 'Newest first: those that have not ended, and the latest ended ones; at most 100.',
    }),
    balances: z.array(balanceSchema).meta({
      description: 'One for each metered feature in the plans of open subscriptions, sorted by key.',
    }),
    creditBalance: z.number(),
  })
  .meta({ id: 'CustomerOverview' });
type CustomerOverview = z.output<typeof customerOverviewSchema>;

export interface CustomerOverviews {
  /** @throws TollgateError customer_not_found */
  get(actor: Actor, externalId: string): Promise<CustomerOverview>;
}

const MAX_SUBSCRIPTIONS = 100;

export function createCustomerOverviews(database: Database): CustomerOverviews {
  return {
    get: ({ scope, reason, now }, externalId) =>
      inWorkspaceSnapshot(database, scope, reason, async (trx) => {
        const customer = requireCustomer(await findCustomer(trx, scope, { externalId }), externalId);
        return readOverview(trx, scope, customer, now);
      }),
  };
}

/** Reads the customer with its subscriptions, and its balances at `now`. */
async function readOverview(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customer: CustomerRow,
  now: Instant,
): Promise<CustomerOverview> {
  const subscriptions = await listSubscriptionsOf(trx, scope, customer.id, MAX_SUBSCRIPTIONS);
  const policy = await readSettings(trx, scope);
  const rows = await readBalanceRows(trx, scope, customer.id, now);
  const held = await readHeld(trx, scope, customer.id, now);
  const credits = await sumSpendableCredits(trx, scope, customer.id, now);
  return {
    ...toCustomerResource(customer),
    subscriptions: subscriptions.map((row) => toSubscriptionResource(row, now)),
    balances: balancesOf(rows, held, policy, now),
    creditBalance: decimalToNumber(parseDecimal(credits)),
  };
}
