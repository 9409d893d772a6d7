import { openEnvelope, sealEnvelope } from '../credentials/envelope';
import type { CredentialKey, KeyRing } from '../credentials/key-ring';
import type { SealedTotpSecret, SecondFactorRow } from './second-factor-store';

/** Seals a secret for its operator as the revision after `revision`. */
export function sealTotpSecret(
  key: CredentialKey,
  { operatorId, revision }: { operatorId: string; revision: number },
  secret: string,
): SealedTotpSecret {
  const owner = { operatorId, revision: revision + 1 };
  return { keyId: key.id, envelope: sealEnvelope(key, owner, { totp: secret }), revision: owner.revision };
}

/** @throws TollgateError key_unavailable, credential_corrupt */
export function openTotpSecret(
  keyRing: KeyRing,
  row: Pick<SecondFactorRow, 'operator_id' | 'revision' | 'envelope'>,
): string {
  const owner = { operatorId: row.operator_id, revision: row.revision };
  return openEnvelope(keyRing, owner, row.envelope)['totp'] ?? '';
}
