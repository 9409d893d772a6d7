import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { listRolledEndpoints, lockSecrets, saveSecrets } from './endpoint-secret-store';
import { thatSign } from './sealed-secret';

/**
 * Deletes the environment's rolled secrets that no longer sign.
 *
 * @param now real time
 * @returns number of endpoints changed
 */
export async function forgetRolledSecrets(
  trx: DbTransaction,
  scope: WorkspaceScope,
  now: Instant,
): Promise<number> {
  let endpoints = 0;
  for (const id of await listRolledEndpoints(trx, scope, now)) {
    const secrets = await lockSecrets(trx, scope, id);
    if (secrets === undefined) continue;
    const earlier = thatSign(secrets.earlier, now);
    if (earlier.length === secrets.earlier.length) continue;
    await saveSecrets(trx, scope, id, { secrets: { ...secrets, earlier } });
    endpoints += 1;
  }
  return endpoints;
}
