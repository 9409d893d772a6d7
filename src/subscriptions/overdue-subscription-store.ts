import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { Environment } from '../domain/environment';
import type { SubscriptionJob } from '../outbox/enqueue';

/**
 * Subscriptions of every workspace that should have woken before an instant, the longest overdue first.
 *
 * @param most how many at most
 */
export async function findOverdueSubscriptions(
  database: Database,
  before: Instant,
  most: number,
): Promise<SubscriptionJob[]> {
  const { rows } = await database.raw<{
    rows: { workspaceId: string; environment: Environment; subscriptionId: string }[];
  }>(
    `SELECT workspace_id AS "workspaceId", environment, id AS "subscriptionId"
       FROM tollgate.find_overdue_subscriptions(?, ?)`,
    [new Date(before), most],
  );
  return rows;
}
