import { connectAnswering } from '../../db/answering-client';
import { clearSandbox } from './clear-sandbox';
import { DEMO_EMAIL } from './make-demo';

/** The organization created with the demo's operator, if it has no key: its sandbox has not been used yet. */
const UNFINISHED = `
SELECT m.workspace_id AS id FROM tollgate.operators o
  JOIN tollgate.organization_members m ON m.operator_id = o.id
  JOIN tollgate.organizations g ON g.workspace_id = m.workspace_id AND g.created_at = o.created_at
 WHERE o.email = $1
   AND NOT EXISTS (SELECT FROM tollgate.api_keys k WHERE k.workspace_id = m.workspace_id AND k.environment = 'sandbox')`;

/**
 * Removes what an interrupted start left in the demo's sandbox, so that it can be created as a whole.
 *
 * @param adminUrl a superuser's URL of the service's database
 */
export async function clearUnfinishedDemo(adminUrl: string): Promise<void> {
  const client = await connectAnswering(adminUrl);
  try {
    const { rows } = await client.query<{ id: string }>(UNFINISHED, [DEMO_EMAIL]);
    for (const { id } of rows) await clearSandbox(client, id);
  } finally {
    await client.end();
  }
}
