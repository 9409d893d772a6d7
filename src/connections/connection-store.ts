import { dateOrNull } from '../db/parameters';
import { createdWithin } from '../db/created-within';
import type { IdPart } from '../pagination/page-by-id';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { PaymentProvider } from '../domain/provider';

/** A connection without its envelope, safe to show. */
export interface ConnectionRow {
  id: string;
  provider: PaymentProvider;
  display_name: string;
  api_mode: 'sandbox' | 'live';
  settings: Record<string, unknown>;
  key_id: string | null;
  revision: number;
  secret_hints: Record<string, string>;
  disabled_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  /** When it was last tested, in real time. */
  tested_at: Instant | null;
  /** The checks that failed in that test. */
  failed_checks: string[];
}

/** A connection with its envelope, for decryption. */
export interface SealedConnectionRow extends ConnectionRow {
  envelope: Buffer | null;
  /** How many of the revisions sealed the same secrets again, under another key. */
  resealings: number;
}

/** A new envelope, with the row's columns about it. */
export interface SealedSecrets {
  envelope: Buffer;
  keyId: string;
  revision: number;
  hints: Record<string, string>;
}

const COLUMNS = [
  ...['id', 'provider', 'display_name', 'api_mode', 'settings', 'key_id', 'revision', 'secret_hints'],
  ...['disabled_at', 'created_at', 'updated_at', 'tested_at', 'failed_checks'],
] as const;
const SEALED_COLUMNS = ['envelope', 'resealings'] as const;

export async function insertConnection(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connection: {
    id: string;
    provider: PaymentProvider;
    displayName: string;
    settings: Readonly<Record<string, unknown>>;
    sealed: SealedSecrets | null;
    now: Instant;
  },
): Promise<void> {
  const { id, provider, displayName, settings, sealed } = connection;
  const now = new Date(connection.now);
  await trx('tollgate.provider_connections').insert({
    ...tenantColumns(scope),
    id,
    provider,
    display_name: displayName,
    api_mode: scope.environment === 'production' ? 'live' : 'sandbox',
    settings: JSON.stringify(settings),
    ...(sealed !== null && sealedColumns(sealed)),
    created_at: now,
    updated_at: now,
  });
}

/** Lists connections, newest first; up to `take + 1` connections whose id is smaller than `before`. */
export async function listConnections(
  trx: DbTransaction,
  scope: WorkspaceScope,
  filters: { provider?: PaymentProvider | undefined },
  page: IdPart,
): Promise<ConnectionRow[]> {
  const query = connections(trx, scope)
    .orderBy('id', 'desc')
    .limit(page.take + 1);
  if (filters.provider !== undefined) void query.where('provider', filters.provider);
  createdWithin(query, 'created_at', page);
  if (page.before !== undefined) void query.where('id', '<', page.before);
  return query.select<ConnectionRow[]>(...COLUMNS);
}

/** Lists every connection of an environment. */
export async function listAllConnections(
  trx: DbTransaction,
  scope: WorkspaceScope,
): Promise<ConnectionRow[]> {
  return connections(trx, scope).select<ConnectionRow[]>(...COLUMNS);
}

/** Returns until when a connection's provider was asked for its settlements; null before the first time. */
export async function readCollectedUntil(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<Instant | null> {
  const row = await connections(trx, scope)
    .where({ id })
    .first<{ until: Instant | null } | undefined>({ until: 'collected_until' });
  return row?.until ?? null;
}

/**
 * Saves until when settlements were collected. Call it after everything the provider listed was recorded. Does not
 * count as a change of the connection.
 */
export async function saveCollectedUntil(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  until: Instant,
): Promise<void> {
  await connections(trx, scope)
    .where({ id })
    .update({ collected_until: new Date(until) });
}

/** Returns the version, which increases with each change of the connection itself; undefined if it does not exist. */
export async function readVersion(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<string | undefined> {
  const row = await connections(trx, scope)
    .where({ id })
    .first<{ version: string | bigint } | undefined>('version');
  return row?.version.toString();
}

/**
 * Saves a test result. Does not count as a change of the connection.
 *
 * @param result `testedAt` is when the test began; real time
 * @param version of the connection that was tested. If it has changed since, or a later test was saved, nothing is
 *   written
 */
export async function saveTestResult(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  { testedAt, failed }: { testedAt: Instant; failed: string[] },
  version: string,
): Promise<void> {
  const at = new Date(testedAt);
  await connections(trx, scope)
    .where({ id, version })
    .where((rows) => void rows.whereNull('tested_at').orWhere('tested_at', '<=', at))
    .update({ tested_at: at, failed_checks: failed });
}

/** Deletes the test result: the current state was not tested. Does not count as a change of the connection. */
export async function deleteTestResult(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<void> {
  await connections(trx, scope).where({ id }).update({ tested_at: null, failed_checks: [] });
}

export async function findConnection(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SealedConnectionRow | undefined> {
  return connections(trx, scope)
    .where({ id })
    .first<SealedConnectionRow | undefined>(...COLUMNS, ...SEALED_COLUMNS);
}

export async function hasConnection(trx: DbTransaction, scope: WorkspaceScope): Promise<boolean> {
  return (await connections(trx, scope).first('id')) !== undefined;
}

/** Finds a connection and locks its row until the transaction ends. */
export async function lockConnection(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SealedConnectionRow | undefined> {
  return connections(trx, scope)
    .where({ id })
    .forUpdate()
    .first<SealedConnectionRow | undefined>(...COLUMNS, ...SEALED_COLUMNS);
}

/** Changes the public columns; the envelope is not touched. */
export async function updatePublicSide(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  change: {
    displayName?: string;
    settings?: Readonly<Record<string, unknown>>;
    disabledAt?: Instant | null;
    now: Instant;
  },
): Promise<void> {
  const { displayName, settings, disabledAt } = change;
  await connections(trx, scope)
    .where({ id })
    .update({
      ...(displayName !== undefined && { display_name: displayName }),
      ...(settings !== undefined && { settings: JSON.stringify(settings) }),
      ...(disabledAt !== undefined && { disabled_at: dateOrNull(disabledAt) }),
      version: trx.raw('version + 1'),
      updated_at: new Date(change.now),
    });
}

/**
 * Replaces the envelope of the revision that was read.
 *
 * @param how.isResealed whether it holds the same secrets, under another key
 * @returns false when another write came first; nothing was written then
 */
export async function replaceEnvelope(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { id, revision }: Pick<SealedConnectionRow, 'id' | 'revision'>,
  sealed: SealedSecrets,
  { isResealed, now }: { isResealed: boolean; now: Instant },
): Promise<boolean> {
  const updated = await connections(trx, scope)
    .where({ id, revision })
    .update({
      ...sealedColumns(sealed),
      ...(isResealed && { resealings: trx.raw('resealings + 1') }),
      version: trx.raw('version + 1'),
      updated_at: new Date(now),
    });
  return updated === 1;
}

function sealedColumns({ envelope, keyId, revision, hints }: SealedSecrets) {
  return { envelope, key_id: keyId, revision, secret_hints: JSON.stringify(hints) };
}

function connections(trx: DbTransaction, scope: WorkspaceScope) {
  return trx('tollgate.provider_connections').where(tenantColumns(scope));
}
