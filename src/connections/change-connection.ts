import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../audit/audit-store';
import { requireActiveKey } from '../credentials/active-key';
import type { Secrets } from '../credentials/envelope';
import type { KeyRing } from '../credentials/key-ring';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { recordCredentialsEvent } from './record-credentials-event';
import { mergedSettings, refusePublicSecrets, sentSecrets } from './connection-input';
import type { CreateConnection, UpdateConnection } from './connection-resource';
import {
  deleteTestResult,
  findConnection,
  insertConnection,
  lockConnection,
  replaceEnvelope,
  updatePublicSide,
  type ConnectionRow,
  type SealedConnectionRow,
  type SealedSecrets,
} from './connection-store';
import { connectionNotFound } from './require-connection';
import { openSecrets, sealSecrets } from './sealed-secrets';
import { refuseForeignSecrets, rememberSecrets } from './secret-environment';
import type { PaymentProvider } from '../domain/provider';

/** Keeps the plan references that an edit removes from a connection, in the transaction of the edit. */
export type RememberNames = (
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: ConnectionRow,
  settings: ConnectionRow['settings'],
  now: Instant,
) => Promise<void>;

/** Creates a connection; its secrets may be added later. */
export async function createConnection(
  trx: DbTransaction,
  keyRing: KeyRing,
  actor: Actor,
  input: CreateConnection,
): Promise<ConnectionRow> {
  const { scope, receivedAt: now } = actor;
  const { provider, displayName } = input;
  refusePublicSecrets(provider, input);
  const secrets = sentSecrets(provider, input.secrets);
  const row = { id: newIdentifier('connection'), provider, revision: 0 };
  const sealed = hasAny(secrets) ? await seal(trx, keyRing, actor, row, { stored: {}, sent: secrets }) : null;
  const settings = mergedSettings({ planReferences: {}, planMappings: {} }, input.settings);
  await insertConnection(trx, scope, { ...row, displayName, settings, sealed, now });
  const detail = { provider, displayName, secrets: Object.keys(secrets) };
  await recordAudit(trx, actor, { action: 'provider_connection.created', target: row.id, detail });
  if (sealed !== null) await announce(trx, actor, { ...row, displayName }, secrets, sealed.revision);
  return requireRow(await findConnection(trx, scope, row.id), row.id);
}

/**
 * Changes the members that were sent, under the row's lock, so that concurrent edits do not undo each other. An edit
 * that changes nothing is not recorded; secrets are always sealed anew.
 */
export async function changeConnection(
  trx: DbTransaction,
  { keyRing, rememberNames }: { keyRing: KeyRing; rememberNames: RememberNames },
  actor: Actor,
  id: string,
  input: UpdateConnection,
): Promise<ConnectionRow> {
  const { scope, receivedAt: now } = actor;
  const row = requireRow(await lockConnection(trx, scope, id), id);
  refusePublicSecrets(row.provider, input);
  const secrets = sentSecrets(row.provider, input.secrets);
  const displayName = input.displayName ?? row.display_name;
  if (hasAny(secrets)) {
    const stored = openSecrets(keyRing, scope, row);
    const sealed = await seal(trx, keyRing, actor, row, { stored, sent: secrets });
    if (!(await replaceEnvelope(trx, scope, row, sealed, { isResealed: false, now })))
      throw changedMeanwhile();
    await announce(trx, actor, { id, provider: row.provider, displayName }, secrets, sealed.revision);
  }
  const settings = mergedSettings(row.settings, input.settings);
  const changed = Object.keys(input.settings ?? {}).filter(
    (name) => !isDeepStrictEqual(settings[name], row.settings[name]),
  );
  const disabledAt = disabledAtOf(row, input.disabled, now);
  const isRenamed = displayName !== row.display_name;
  const isSwitched = disabledAt !== row.disabled_at;
  const isPublicChange = isRenamed || isSwitched || changed.length > 0;
  if (isPublicChange) {
    if (changed.length > 0) await rememberNames(trx, scope, row, settings, now);
    await updatePublicSide(trx, scope, id, { displayName, settings, disabledAt, now });
  }
  // The stored test result no longer applies.
  if (changed.length > 0 || hasAny(secrets)) await deleteTestResult(trx, scope, id);
  if (isPublicChange || hasAny(secrets)) {
    const detail = {
      ...(isRenamed && { displayName }),
      settings: changed,
      secrets: Object.keys(secrets),
      ...(isSwitched && { disabled: disabledAt !== null }),
    };
    await recordAudit(trx, actor, { action: 'provider_connection.updated', target: id, detail });
  }
  return requireRow(await findConnection(trx, scope, id), id);
}

/** Returns since when the connection is disabled. One that is disabled again stays disabled since the first time. */
function disabledAtOf(
  { disabled_at: before }: Pick<ConnectionRow, 'disabled_at'>,
  disabled: boolean | undefined,
  now: Instant,
): Instant | null {
  if (disabled === undefined) return before;
  return disabled ? (before ?? now) : null;
}

/** Seals the sent secrets merged over the stored ones as one new envelope. */
async function seal(
  trx: DbTransaction,
  keyRing: KeyRing,
  { scope, receivedAt }: Actor,
  row: { id: string; provider: PaymentProvider; revision: number },
  { stored, sent }: { stored: Secrets; sent: Secrets },
): Promise<SealedSecrets> {
  await refuseForeignSecrets(trx, keyRing, scope, sent);
  const key = await requireActiveKey(trx, keyRing);
  await rememberSecrets(trx, keyRing, scope, { connectionId: row.id, secrets: sent, now: receivedAt });
  return sealSecrets(key, scope, row, { ...stored, ...sent });
}

async function announce(
  trx: DbTransaction,
  { scope, receivedAt }: Actor,
  connection: { id: string; provider: PaymentProvider; displayName: string },
  secrets: Secrets,
  secretVersion: number,
): Promise<void> {
  const change = { connection, changed: Object.keys(secrets), secretVersion, source: 'console' } as const;
  await recordCredentialsEvent(trx, scope, change, receivedAt);
}

function hasAny(secrets: Secrets): boolean {
  return Object.keys(secrets).length > 0;
}

function requireRow<Row extends ConnectionRow | SealedConnectionRow>(row: Row | undefined, id: string): Row {
  if (row === undefined) throw connectionNotFound(id);
  return row;
}

/** The lock rules this out; the comparison guards against a caller without the lock. */
function changedMeanwhile(): TollgateError {
  return new TollgateError('service_busy', 'The connection was changed by another request.', {
    retryAfter: 1,
  });
}
