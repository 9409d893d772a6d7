import { systemClock } from '../clock/system-clock';
import { connectAnswering } from '../db/answering-client';
import type { Instant } from '../domain/instant';

/**
 * Returns the time of the sandbox that is furthest ahead, of those with a provider connection; real time if the clock
 * of none of them was advanced.
 *
 * @param adminUrl a superuser's URL of the cluster, because a superuser sees every workspace
 * @param database the database's name
 */
export async function latestSandboxTime(adminUrl: string, database: string): Promise<Instant> {
  const url = new URL(adminUrl);
  url.pathname = database;
  const client = await connectAnswering(url.href);
  try {
    const { rows } = await client.query<{ offset_ms: string | null }>(
      `SELECT max(offset_ms) AS offset_ms FROM tollgate.sandbox_clocks
       WHERE (workspace_id, environment) IN (SELECT workspace_id, environment FROM tollgate.provider_connections)`,
    );
    return systemClock.now() + Number(rows[0]?.offset_ms ?? 0);
  } finally {
    await client.end();
  }
}
