import type { OverdueWakes } from '../../activities/next-wake-sweep';
import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';

interface Row {
  workspaceId: string;
  environment: Environment;
  id: string;
}

/** Rows of every workspace that should have woken before an instant, the longest overdue first. */
export function createOverdueWakes(database: Database): OverdueWakes {
  const find = async (lookup: string, before: Instant, most: number): Promise<Row[]> => {
    const { rows } = await database.raw<{ rows: Row[] }>(
      `SELECT workspace_id AS "workspaceId", environment, id FROM tollgate.${lookup}(?, ?)`,
      [new Date(before), most],
    );
    return rows;
  };
  return {
    subscriptions: async (before, most) =>
      (await find('find_overdue_subscriptions', before, most)).map(({ id, ...scope }) => ({
        ...scope,
        subscriptionId: id,
      })),
    checkouts: async (before, most) =>
      (await find('find_overdue_checkouts', before, most)).map(({ id, ...scope }) => ({
        ...scope,
        checkoutId: id,
      })),
    refunds: async (before, most) =>
      (await find('find_overdue_refunds', before, most)).map(({ id, ...scope }) => ({
        ...scope,
        refundId: id,
      })),
  };
}
