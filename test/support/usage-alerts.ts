import type { TestDatabase } from './database';

/** A quota or credit alert, as stored in its developer event. */
export interface SeenAlert {
  type: 'USAGE_THRESHOLD_REACHED' | 'CREDITS_LOW';
  status: string;
  message: string;
  source: string;
  data: Record<string, unknown> & { percent: number };
}

/** Returns the alerts of a customer, in the order in which they were recorded. */
export function alertsOf(database: TestDatabase, customerId: string): Promise<SeenAlert[]> {
  return database.query<SeenAlert>(
    `SELECT type, status, message, source, data FROM tollgate.developer_events
      WHERE data ->> 'customerId' = $1 AND type IN ('USAGE_THRESHOLD_REACHED', 'CREDITS_LOW') ORDER BY sequence`,
    [customerId],
  );
}

/** Returns the alerts as text: `80 of 10` for a quota, `credits 20` for credits. */
export async function notifiedOf(database: TestDatabase, customerId: string): Promise<string[]> {
  return (await alertsOf(database, customerId)).map(({ type, data }) =>
    type === 'CREDITS_LOW' ? `credits ${data.percent}` : `${data.percent} of ${String(data['quota'])}`,
  );
}
