import { requireActiveKey } from '../credentials/active-key';
import type { KeyRing } from '../credentials/key-ring';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { lockSecrets, saveSecrets } from './endpoint-secret-store';
import { openSecret, sealSecret, thatSign, type SealedSecret } from './sealed-secret';

/**
 * Seals an endpoint's secrets under the active key. Secrets whose overlap has ended are dropped.
 *
 * @returns whether there was anything to migrate
 * @throws TollgateError key_unavailable, credential_corrupt
 */
export async function migrateEndpointSecrets(
  trx: DbTransaction,
  keyRing: KeyRing,
  scope: WorkspaceScope,
  id: string,
  now: Instant,
): Promise<boolean> {
  const key = await requireActiveKey(trx, keyRing);
  const before = await lockSecrets(trx, scope, id);
  if (before === undefined) return false;
  const { current, earlier } = before;
  if ([current, ...earlier].every(({ keyId }) => keyId === key.id)) return false;
  let { revision } = current;
  const seal = (sealed: SealedSecret): SealedSecret => {
    revision += 1;
    return sealSecret(key, scope, id, { revision, secret: openSecret(keyRing, scope, id, sealed) });
  };
  // Older secrets get smaller revisions. All revisions are new.
  const kept = thatSign(earlier, now)
    .toReversed()
    .map((sealed) => ({ ...seal(sealed), until: sealed.until }));
  const secrets = { earlier: kept.toReversed(), current: seal(current) };
  await saveSecrets(trx, scope, id, { secrets });
  return true;
}
