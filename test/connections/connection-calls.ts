import { randomUUID } from 'node:crypto';
import type { Environment } from '../../src/domain/environment';
import type { TestDatabase } from '../support/database';
import type { ConsoleAnswer, OperatorClient } from '../support/operator';

export const PATH = '/api/provider-connections';

/** Returns a secret with a real prefix and random characters, which belongs to no account. */
export function fakeSecret(prefix: string): string {
  return `${prefix}fake${randomUUID().replaceAll('-', '')}`;
}

export const complete = {
  provider_a: () => ({ secretKey: fakeSecret('sk_test_'), webhookSecret: fakeSecret('whsec_') }),
  provider_b: () => ({
    clientId: fakeSecret('client-'),
    clientSecret: fakeSecret('secret-'),
    webhookId: fakeSecret('hook-'),
  }),
  provider_c: () => ({ secretKey: fakeSecret('sk_test_') }),
};

/** Connects an account, and returns the connection's id. */
export async function connect(
  client: OperatorClient,
  body: { provider?: string; secrets?: Record<string, string>; settings?: object } = {},
  env: Environment = 'sandbox',
): Promise<string> {
  const provider = body.provider ?? 'provider_a';
  const answer = await client.post(PATH, { env, body: { displayName: 'Account', ...body, provider } });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return String(answer.body['id']);
}

export interface StoredConnection {
  envelope: Buffer | null;
  key_id: string | null;
  revision: number;
  settings: Record<string, unknown>;
  secret_hints: Record<string, string>;
  disabled_at: number | null;
}

/** Returns the row as stored, read as the superuser. */
export async function stored(database: TestDatabase, id: string): Promise<StoredConnection> {
  const [row] = await database.query<StoredConnection>(
    'SELECT * FROM tollgate.provider_connections WHERE id = $1',
    [id],
  );
  if (row === undefined) throw new Error(`There is no connection ${id}.`);
  return row;
}

/** Inserts a row as an earlier installation left it: with plain secrets and no envelope. */
export async function plantLegacy(
  database: TestDatabase,
  row: {
    workspaceId: string;
    id: string;
    environment?: Environment;
    provider?: string;
    settings: Record<string, unknown>;
  },
): Promise<string> {
  const { workspaceId, id, environment = 'sandbox', provider = 'provider_a', settings } = row;
  await database.query(
    `INSERT INTO tollgate.provider_connections (workspace_id, environment, id, provider, display_name, api_mode, settings, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'Legacy', $5, $6, now(), now())`,
    [workspaceId, environment, id, provider, environment === 'production' ? 'live' : 'sandbox', settings],
  );
  return id;
}

export function problemOf(answer: ConsoleAnswer): { status: number; code: unknown; pointers: string[] } {
  const errors = (answer.body['errors'] ?? []) as { pointer: string }[];
  return {
    status: answer.status,
    code: answer.body['code'],
    pointers: errors.map(({ pointer }) => pointer),
  };
}
