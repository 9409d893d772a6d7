import type { OverdueWakes } from './next-wake-sweep';
import type { Database } from '../src/db/pools';
import type { Environment } from '../src/domain/environment';
import type { Instant } from '../src/domain/instant';

interface Row {
  workspaceId: string;
  environment: Environment;
  id: string;
}

/**
 * Finds rows of every workspace, in one environment or both, that should have woken before an instant; longest overdue
 * first.
 */
export function createOverdueWakes(database: Database): OverdueWakes {
  const find = async (
    lookup: string,
    ...[before, most, environment]: [Instant, number, Environment | undefined]
  ): Promise<Row[]> => {
    const { rows } = await database.raw<{ rows: Row[] }>(
      `SELECT workspace_id AS "workspaceId", environment, id FROM tollgate.${lookup}(?, ?, ?)`,
      [new Date(before), most, environment ?? null],
    );
    return rows;
  };
  return {
    subscriptions: async (before, most, environment) =>
      (await find('find_overdue_subscriptions', before, most, environment)).map(({ id, ...scope }) => ({
        ...scope,
        subscriptionId: id,
      })),
    checkouts: async (before, most, environment) =>
      (await find('find_overdue_checkouts', before, most, environment)).map(({ id, ...scope }) => ({
        ...scope,
        checkoutId: id,
      })),
    refunds: async (before, most, environment) =>
      (await find('find_overdue_refunds', before, most, environment)).map(({ id, ...scope }) => ({
        ...scope,
        refundId: id,
      })),
    erasures: async (before, most, environment) =>
      (await find('find_overdue_erasures', before, most, environment)).map(({ id, ...scope }) => ({
        ...scope,
        erasureId: id,
      })),
  };
}
