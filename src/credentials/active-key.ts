import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { listRecordedKeys } from './key-check-store';
import { conflictingKeys } from './key-conflicts';
import type { CredentialKey, KeyRing } from './key-ring';
import { holdActiveKeyId, listRuntimes } from './key-ring-store';

/**
 * Returns the key to seal with, which stays active until the transaction has ended, so that nothing is written under
 * the old key after a switch. A key is not used if another running process holds different bytes for it, or if
 * different bytes are recorded for it.
 *
 * @throws TollgateError key_unavailable
 */
export async function requireActiveKey(trx: DbTransaction, ring: KeyRing): Promise<CredentialKey> {
  const id = await holdActiveKeyId(trx);
  const key = id === undefined ? undefined : ring.find(id);
  if (key !== undefined) {
    const recorded = { keyIds: await listRecordedKeys(trx) };
    const runtimes = await listRuntimes(trx);
    if (!conflictingKeys(ring, [recorded, ...runtimes]).includes(key.id)) return key;
    throw new TollgateError(
      'key_unavailable',
      `The key "${key.id}" of this process differs from the key that other processes have or that encrypted the stored secrets, so it is not used.`,
      { retryAfter: 30 },
    );
  }
  const detail =
    id === undefined
      ? 'No credential keys are configured, so no secrets can be stored.'
      : 'This process does not have the active encryption key.';
  throw new TollgateError('key_unavailable', detail, { retryAfter: 30 });
}
