import type { Transaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { CredentialKey, KeyRing } from './key-ring';
import { holdActiveKeyId } from './key-ring-store';

/**
 * The key to seal with, which stays the active one until the transaction has ended: so after a switch nothing more
 * is written under the old key.
 *
 * @throws TollgateError key_unavailable
 */
export async function requireActiveKey(trx: Transaction, ring: KeyRing): Promise<CredentialKey> {
  const id = await holdActiveKeyId(trx);
  const key = id === undefined ? undefined : ring.find(id);
  if (key !== undefined) return key;
  const detail =
    id === undefined
      ? 'No credential keys are configured, so no secrets can be stored.'
      : 'This process does not hold the key that seals secrets now.';
  throw new TollgateError('key_unavailable', detail, { retryAfter: 30 });
}
