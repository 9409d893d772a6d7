import { openEnvelope, sealEnvelope, type Secrets } from '../credentials/envelope';
import type { CredentialKey, KeyRing } from '../credentials/key-ring';
import type { WorkspaceScope } from '../tenancy/actor';
import type { SealedConnectionRow, SealedSecrets } from './connection-store';
import { hintsOf } from './masked-secrets';
import type { PaymentProvider } from '../domain/provider';

/**
 * Decrypts a connection's secrets; empty if none have been set.
 *
 * @throws TollgateError key_unavailable, credential_corrupt
 */
export function openSecrets(keyRing: KeyRing, scope: WorkspaceScope, row: SealedConnectionRow): Secrets {
  if (row.envelope === null) return {};
  const { id: connectionId, provider, revision } = row;
  return openEnvelope(keyRing, { ...scope, provider, connectionId, revision }, row.envelope);
}

/** Encrypts the whole set as the revision following the row's. */
export function sealSecrets(
  key: CredentialKey,
  scope: WorkspaceScope,
  row: { id: string; provider: PaymentProvider; revision: number },
  secrets: Secrets,
): SealedSecrets {
  const revision = row.revision + 1;
  const { workspaceId, environment } = scope;
  const owner = { workspaceId, environment, provider: row.provider, connectionId: row.id, revision };
  return { envelope: sealEnvelope(key, owner, secrets), keyId: key.id, revision, hints: hintsOf(secrets) };
}
