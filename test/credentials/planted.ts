import { createKeyRing } from '../../src/credentials/key-ring';
import { sealSecrets } from '../../src/connections/sealed-secrets';
import { newIdentifier } from '../../src/identifiers/identifier';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import type { TestDatabase } from '../support/database';
import { testKeys } from './keys';

/**
 * Inserts many connections of provider C with SQL, sealed under `k1`. The secret of each is `sk_test_fake_` and its id.
 */
export async function plantSealed(
  database: TestDatabase,
  scope: WorkspaceScope,
  count: number,
): Promise<string[]> {
  const key = createKeyRing(testKeys('k1')).find('k1');
  if (key === undefined) throw new Error('There is no k1.');
  const ids = Array.from({ length: count }, () => newIdentifier('connection'));
  const rows = ids.map((id) => {
    const secrets = { secretKey: `sk_test_fake_${id}` };
    const sealed = sealSecrets(key, scope, { id, provider: 'provider_c', revision: 0 }, secrets);
    return { id, envelope: sealed.envelope.toString('hex') };
  });
  await database.query(
    `INSERT INTO tollgate.provider_connections
       (workspace_id, environment, id, provider, display_name, api_mode, settings, envelope, key_id, revision, created_at, updated_at)
     SELECT $1, $2, r.id, 'provider_c', 'Planted', 'sandbox', '{}', decode(r.envelope, 'hex'), 'k1', 1, now(), now()
       FROM jsonb_to_recordset($3) AS r (id text, envelope text)`,
    [scope.workspaceId, scope.environment, JSON.stringify(rows)],
  );
  return ids;
}
