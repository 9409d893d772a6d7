import type { Database, DbTransaction } from '../db/pools';
import { setContext } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { EnvelopeOwner } from './envelope';
import { publishedKey, splitPublishedKey } from './published-key';

/** Lists the keys that seal or have sealed something, each in the form that a process holding it publishes. */
export async function listRecordedKeys(database: Database): Promise<string[]> {
  const rows = await database('tollgate.key_checks')
    .orderBy('key_id')
    .select<{ key_id: string; check_value: string }[]>('key_id', 'check_value');
  return rows.map((row) => publishedKey(row.key_id, row.check_value));
}

/** Records a key's check value if its id has none. */
export async function recordKey(trx: DbTransaction, published: string, now: Instant): Promise<void> {
  const { id, check } = splitPublishedKey(published);
  await trx('tollgate.key_checks')
    .insert({ key_id: id, check_value: check, recorded_at: new Date(now) })
    .onConflict('key_id')
    .ignore();
}

/** Deletes the check values of all keys except these. */
export async function forgetKeysExcept(trx: DbTransaction, keyIds: readonly string[]): Promise<void> {
  await trx('tollgate.key_checks').whereNotIn('key_id', keyIds).delete();
}

/** A stored envelope with its owner. */
export interface StoredEnvelope {
  owner: EnvelopeOwner;
  envelope: Buffer;
}

/**
 * Lists the newest envelopes under a key, of any workspace, and those of second factors if this process may read them:
 * a worker may not. Sets the transaction's context to those workspaces, and to none at the end.
 */
export async function listEnvelopesUnder(
  trx: DbTransaction,
  keyId: string,
  limit: number,
): Promise<StoredEnvelope[]> {
  const found: StoredEnvelope[] = [];
  for (const { workspaceId, environment, id } of await listPlaces(trx, 'list_connections', keyId, limit)) {
    await setContext(trx, workspaceId, environment, 'SYSTEM');
    const row = await trx('tollgate.provider_connections')
      .where({ workspace_id: workspaceId, environment, id, key_id: keyId })
      .first<{ provider: string; revision: number; envelope: Buffer } | undefined>(
        'provider',
        'revision',
        'envelope',
      );
    if (row === undefined) continue;
    const { provider, revision, envelope } = row;
    found.push({ owner: { workspaceId, environment, provider, connectionId: id, revision }, envelope });
  }
  if (found.length < limit) found.push(...(await listEndpointEnvelopes(trx, keyId, limit - found.length)));
  await setContext(trx, '', '', 'SYSTEM');
  return [...found, ...(await listSecondFactorsUnder(trx, keyId, limit))];
}

/** Finds the newest objects of a kind with an envelope under a key, in any workspace. */
async function listPlaces(
  trx: DbTransaction,
  list: 'list_connections' | 'list_webhook_endpoint_keys',
  keyId: string,
  limit: number,
): Promise<{ workspaceId: string; environment: Environment; id: string }[]> {
  const { rows } = await trx.raw<{
    rows: { workspaceId: string; environment: Environment; id: string }[];
  }>(
    `SELECT workspace_id AS "workspaceId", environment, id
       FROM tollgate.${list}('', 2147483647) WHERE key_id = ? ORDER BY id DESC LIMIT ?`,
    [keyId, limit],
  );
  return rows;
}

async function listSecondFactorsUnder(
  trx: DbTransaction,
  keyId: string,
  limit: number,
): Promise<StoredEnvelope[]> {
  const { rows: rights } = await trx.raw<{ rows: { may: boolean }[] }>(
    "SELECT has_table_privilege('tollgate.operator_second_factors', 'SELECT') AS may",
  );
  if (rights[0]?.may !== true) return [];
  const rows = await trx('tollgate.operator_second_factors')
    .where({ key_id: keyId })
    .orderBy('created_at', 'desc')
    .limit(limit)
    .select<{ operator_id: string; revision: number; envelope: Buffer }[]>(
      'operator_id',
      'revision',
      'envelope',
    );
  return rows.map(({ operator_id: operatorId, revision, envelope }) => ({
    owner: { operatorId, revision },
    envelope,
  }));
}

/** Lists the same for the secrets of webhook endpoints (src/webhook-endpoints/sealed-secret.ts). */
async function listEndpointEnvelopes(
  trx: DbTransaction,
  keyId: string,
  limit: number,
): Promise<StoredEnvelope[]> {
  const found: StoredEnvelope[] = [];
  for (const { workspaceId, environment, id } of await listPlaces(
    trx,
    'list_webhook_endpoint_keys',
    keyId,
    limit,
  )) {
    await setContext(trx, workspaceId, environment, 'SYSTEM');
    const row = await trx('tollgate.webhook_endpoints')
      .where({ workspace_id: workspaceId, environment, id, key_id: keyId })
      .first<{ envelope: { revision: number; sealed: string } } | undefined>({ envelope: 'secret_envelope' });
    if (row === undefined) continue;
    const { revision, sealed } = row.envelope;
    const owner = { workspaceId, environment, provider: 'webhook_endpoint', connectionId: id, revision };
    found.push({ owner, envelope: Buffer.from(sealed, 'base64') });
  }
  return found;
}
