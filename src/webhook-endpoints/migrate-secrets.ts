import { requireActiveKey } from '../credentials/active-key';
import type { KeyRing } from '../credentials/key-ring';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { lockSecrets, saveSecrets } from './endpoint-store';
import { openSecret, sealSecret } from './sealed-secret';

/**
 * Seals an endpoint's secrets under the active key; one whose overlap has ended is forgotten.
 *
 * @returns whether there was something to do
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
  const { current, previous, previousUntil } = before;
  if (current.keyId === key.id && (previous === null || previous.keyId === key.id)) return false;
  const isOver = previousUntil === null || previousUntil <= now;
  const kept = previous === null || isOver ? null : previous;
  // The older secret gets the smaller revision; both are new.
  const next = current.revision + 1;
  const secrets = {
    previous:
      kept === null
        ? null
        : sealSecret(key, scope, id, { revision: next, secret: openSecret(keyRing, scope, id, kept) }),
    current: sealSecret(key, scope, id, {
      revision: next + 1,
      secret: openSecret(keyRing, scope, id, current),
    }),
    previousUntil: kept === null ? null : previousUntil,
  };
  await saveSecrets(trx, scope, id, { secrets, now });
  return true;
}
