import { generateApiKey, hashApiKey } from '../../src/api-keys/api-key';
import type { Environment } from '../../src/domain/environment';
import type { KeyScope } from '../../src/domain/key-scopes';
import { newIdentifier } from '../../src/identifiers/identifier';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import type { TestDatabase } from './database';
import { testSecrets } from './service';

export interface TestWorkspace {
  workspaceId: string;
  sandbox: WorkspaceScope;
  production: WorkspaceScope;
  sandboxKey: string;
  productionKey: string;
  sandboxKeyId: string;
}

/** Creates another key of a workspace. `scopes` null: a key created before keys had scopes. */
export async function createKey(
  database: TestDatabase,
  { workspaceId, environment }: WorkspaceScope,
  scopes: readonly KeyScope[] | null,
): Promise<string> {
  const secret = generateApiKey(environment);
  await insertKey(database, { workspaceId, environment }, secret, scopes);
  return secret;
}

async function insertKey(
  database: TestDatabase,
  { workspaceId, environment }: WorkspaceScope,
  secret: string,
  scopes: readonly KeyScope[] | null,
): Promise<string> {
  const id = newIdentifier('apiKey');
  await database.query(
    `INSERT INTO tollgate.api_keys (workspace_id, environment, id, name, key_hash, last_four, created_at, scopes)
     VALUES ($1, $2, $3, 'test', $4, $5, $6, $7)`,
    [
      ...[workspaceId, environment, id, hashApiKey(secret, testSecrets.apiKeyPepper), secret.slice(-4)],
      ...[new Date(), scopes],
    ],
  );
  return id;
}

/** Inserts an organization with default settings and a key for each environment, by SQL as the superuser. */
export async function createWorkspace(database: TestDatabase, name = 'Acme'): Promise<TestWorkspace> {
  const workspaceId = newIdentifier('organization');
  const now = new Date();
  await database.query(
    'INSERT INTO tollgate.organizations (workspace_id, name, slug, created_at) VALUES ($1, $2, $3, $4)',
    [workspaceId, name, `${name.toLowerCase()}-${workspaceId.slice(-6)}`, now],
  );
  const environments: Environment[] = ['sandbox', 'production'];
  const keys: Record<string, { secret: string; id: string }> = {};
  for (const environment of environments) {
    await database.query(
      `INSERT INTO tollgate.workspace_settings (workspace_id, environment, default_currency, time_zone, tax_behavior, tax_rates,
         invoice_profile, default_provider, past_due_after_days, grace_days, expire_after_days, updated_at)
       VALUES ($1, $2, 'USD', 'UTC', 'none', '[]', '{}', 'internal', 7, 7, 30, $3)`,
      [workspaceId, environment, now],
    );
    const secret = generateApiKey(environment);
    const id = await insertKey(database, { workspaceId, environment }, secret, null);
    keys[environment] = { secret, id };
  }
  return {
    workspaceId,
    sandbox: { workspaceId, environment: 'sandbox' },
    production: { workspaceId, environment: 'production' },
    sandboxKey: keys['sandbox']?.secret ?? '',
    productionKey: keys['production']?.secret ?? '',
    sandboxKeyId: keys['sandbox']?.id ?? '',
  };
}
