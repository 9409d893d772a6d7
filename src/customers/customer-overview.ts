import type { Transaction } from '../db/pools';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { readSettings } from '../settings/settings-store';
import { toSubscriptionResource } from '../subscriptions/subscription-resource';
import { listSubscriptions } from '../subscriptions/subscription-store';
import type { WorkspaceScope } from '../tenancy/scope';
import { readBalanceRows } from './balance-store';
import { balancesOf } from './balances';
import { sumSpendableCredits } from './credit-store';
import { toCustomerResource, type CustomerOverview } from './customer-resource';
import type { CustomerRow } from './customer-store';

const MOST_SUBSCRIPTIONS = 100;

/** The customer with its subscriptions, and what it has left at `now`. */
export async function readOverview(
  trx: Transaction,
  scope: WorkspaceScope,
  customer: CustomerRow,
  now: Instant,
): Promise<CustomerOverview> {
  const subscriptions = await listSubscriptions(trx, scope, {
    customerId: customer.id,
    limit: MOST_SUBSCRIPTIONS,
  });
  const policy = await readSettings(trx, scope);
  const rows = await readBalanceRows(trx, scope, customer.id);
  const credits = await sumSpendableCredits(trx, scope, customer.id, now);
  return {
    ...toCustomerResource(customer),
    subscriptions: subscriptions.map((row) => toSubscriptionResource(row, now)),
    balances: balancesOf(rows, policy, now),
    creditBalance: decimalToNumber(parseDecimal(credits)),
  };
}
