import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { lockSecrets, saveSecrets } from './endpoint-store';
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
  const rolled = await trx('tollgate.webhook_endpoints')
    .where(tenantColumns(scope))
    .where((some) => {
      // An earlier version that runs alongside this one knows and clears only the latest rolled secret.
      void some.where('previous_secret_until', '<=', new Date(now)).orWhereNotNull('older_secrets_until');
    })
    .orderBy('id')
    .pluck<string[]>('id');
  let endpoints = 0;
  for (const id of rolled) {
    const secrets = await lockSecrets(trx, scope, id);
    if (secrets === undefined) continue;
    const earlier = thatSign(secrets.earlier, now);
    if (earlier.length === secrets.earlier.length) continue;
    await saveSecrets(trx, scope, id, { secrets: { ...secrets, earlier } });
    endpoints += 1;
  }
  return endpoints;
}
