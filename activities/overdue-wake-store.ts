import type { OverdueWakes } from './next-wake-sweep';
import type { Database } from '../src/db/pools';

/**
 * Finds rows of every workspace, in one environment or both, that should have woken before an instant; longest overdue
 * first.
 */
export function createOverdueWakes(database: Database): OverdueWakes {
  const find = async <Job>(
    lookup: string,
    idMember: string,
    ...[before, limit, environment]: Parameters<OverdueWakes['subscriptions']>
  ): Promise<Job[]> => {
    const { rows } = await database.raw<{ rows: Job[] }>(
      `SELECT workspace_id AS "workspaceId", environment, id AS "${idMember}" FROM tollgate.${lookup}(?, ?, ?)`,
      [new Date(before), limit, environment ?? null],
    );
    return rows;
  };
  return {
    subscriptions: (...overdue) => find('find_overdue_subscriptions', 'subscriptionId', ...overdue),
    checkouts: (...overdue) => find('find_overdue_checkouts', 'checkoutId', ...overdue),
    refunds: (...overdue) => find('find_overdue_refunds', 'refundId', ...overdue),
    erasures: (...overdue) => find('find_overdue_erasures', 'erasureId', ...overdue),
  };
}
