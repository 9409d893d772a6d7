import type { Client } from 'pg';
import { hasSqlState } from '../../db/sql-state';

/** Tables a reset keeps: access to the sandbox, its connections and settings, and the audit of what was done in it. */
const KEPT = ['api_keys', 'audit_records', 'portal_settings', 'provider_connections', 'workspace_settings'];

const ATTEMPTS = 20;

/**
 * Deletes everything in an organization's sandbox except its keys, connections, settings and audit records. This also
 * returns its clock to real time.
 *
 * @param client a superuser's connection, which bypasses row-level security and the order of foreign keys
 */
export async function clearSandbox(client: Client, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT t.oid::regclass::text AS name
     FROM pg_class t
     WHERE t.relnamespace = 'tollgate'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
       AND t.relname <> ALL ($1)
       AND 2 = (SELECT count(*) FROM pg_attribute a
                WHERE a.attrelid = t.oid AND a.attname IN ('workspace_id', 'environment') AND NOT a.attisdropped)
     ORDER BY 1`,
    [KEPT],
  );
  const tables = rows.map(({ name }) => name);
  for (let attempt = 1; !(await clear(client, tables, workspaceId)); attempt += 1)
    if (attempt === ATTEMPTS) throw new Error('The service kept the sandbox locked.');
}

/** @returns false after a deadlock with the running service, which takes its locks in another order */
async function clear(client: Client, tables: readonly string[], workspaceId: string): Promise<boolean> {
  await client.query('BEGIN');
  try {
    // Waits for open writes, so that no row remains whose parent was deleted.
    await client.query(`LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
    await client.query('SET LOCAL session_replication_role = replica');
    for (const table of tables) {
      await client.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND environment = 'sandbox'`, [
        workspaceId,
      ]);
    }
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK');
    if (hasSqlState(error, 'deadlock_detected')) return false;
    throw error;
  }
}

/**
 * Returns the names of the organizations that depend on the state of the simulated providers: they have a subscription
 * billed there, or a sandbox ahead of real time that has a provider connection. The sandbox to be cleared does not
 * count.
 */
export async function findOthersAtSimulators(client: Client, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM tollgate.organizations WHERE workspace_id IN (
       SELECT workspace_id FROM tollgate.subscriptions
       WHERE provider <> 'internal' AND status NOT IN ('cancelled', 'expired')
         AND (workspace_id <> $1 OR environment <> 'sandbox')
       UNION ALL
       SELECT workspace_id FROM tollgate.sandbox_clocks JOIN tollgate.provider_connections USING (workspace_id, environment)
       WHERE workspace_id <> $1 AND offset_ms > 0)
     ORDER BY name`,
    [workspaceId],
  );
  return rows.map(({ name }) => name);
}
