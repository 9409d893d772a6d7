import { Client } from 'pg';
import { createKeyRing } from '../src/credentials/key-ring';
import { newIdentifier } from '../src/identifiers/identifier';
import { benchSecrets } from './seed';
import { newSecret, sealSecret } from '../src/webhook-endpoints/sealed-secret';

/** Where a message goes: to the one endpoint of its workspace that takes its type. */
export interface Target {
  workspaceId: string;
  type: string;
  isLiving: boolean;
}

/** Endpoints that share a workspace. */
const OF_A_WORKSPACE = 10;

/**
 * Endpoints of production, ten to a workspace, each with a type of its own.
 *
 * @param urlOf where an endpoint is, by its number; the first `dead` are dead
 */
export async function seedEndpoints(
  adminUrl: string,
  { endpoints, dead }: { endpoints: number; dead: number },
  urlOf: (index: number) => string,
): Promise<Target[]> {
  const key = createKeyRing(benchSecrets.credentialKeys).find('k1');
  if (key === undefined) throw new Error('There is no key.');
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  const targets: Target[] = [];
  let workspaceId = '';
  for (let index = 0; index < endpoints; index += 1) {
    if (index % OF_A_WORKSPACE === 0) {
      workspaceId = newIdentifier('organization');
      await client.query(
        'INSERT INTO tollgate.organizations (workspace_id, name, slug, created_at) VALUES ($1, $1, $1, now())',
        [workspaceId],
      );
    }
    const type = `bench.${index % OF_A_WORKSPACE}`;
    const id = newIdentifier('webhookEndpoint');
    const scope = { workspaceId, environment: 'production' } as const;
    const sealed = sealSecret(key, scope, id, { revision: 1, secret: newSecret() });
    await client.query(
      `INSERT INTO tollgate.webhook_endpoints
         (workspace_id, environment, id, url, event_types, secret_envelope, created_at, updated_at)
       VALUES ($1, 'production', $2, $3, ARRAY[$4], $5, now(), now())`,
      [workspaceId, id, urlOf(index), type, JSON.stringify(sealed)],
    );
    targets.push({ workspaceId, type, isLiving: index >= dead });
  }
  await client.end();
  return targets;
}

/** A message is a row of about the size of a subscription. */
const PADDING = 'x'.repeat(900);

/** Writes messages in one transaction, rendered already, each for the next target in turn. */
export async function writeMessages(
  client: Client,
  targets: readonly Target[],
  first: number,
  count: number,
) {
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, n) => {
    const target = targets[(first + n) % targets.length];
    return { id: newIdentifier('webhookMessage'), resource: `sub_${first + n}`, ...target };
  });
  const values = [JSON.stringify(rows), new Date(now)];
  await client.query('BEGIN');
  await client.query(
    `SELECT tollgate.announce(r."workspaceId", 'production', r.id, r.type, 'subscription', r.resource, $2, $2)
       FROM jsonb_to_recordset($1) AS r ("workspaceId" text, id text, type text, resource text)`,
    values,
  );
  await client.query(
    `UPDATE tollgate.webhook_messages m SET payload = $3
       FROM jsonb_to_recordset($1) AS r ("workspaceId" text, id text)
      WHERE m.workspace_id = r."workspaceId" AND m.environment = 'production' AND m.id = r.id AND m.created_at = $2`,
    [...values, JSON.stringify({ writtenAt: now, padding: PADDING })],
  );
  await client.query('COMMIT');
}
