import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { olderSecretsSchema, sealedSecretSchema, type SealedSecrets } from './sealed-secret';

const TABLE = 'tollgate.webhook_endpoints';

interface SecretRow {
  secret_envelope: unknown;
  previous_secret_envelope: unknown;
  previous_secret_until: Instant | null;
  older_secrets: unknown;
}

/**
 * Reads the endpoint's secrets and locks its row until the transaction ends; undefined if there is no such endpoint.
 */
export async function lockSecrets(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SealedSecrets | undefined> {
  const row = await trx(TABLE)
    .where({ ...tenantColumns(scope), id })
    .forNoKeyUpdate()
    .first<SecretRow | undefined>(
      'secret_envelope',
      'previous_secret_envelope',
      'previous_secret_until',
      'older_secrets',
    );
  return row === undefined ? undefined : toSealedSecrets(row);
}

export function toSealedSecrets(row: SecretRow): SealedSecrets {
  const { previous_secret_until: until } = row;
  const older = olderSecretsSchema.parse(row.older_secrets);
  const previous =
    until === null ? [] : [{ ...sealedSecretSchema.parse(row.previous_secret_envelope), until }];
  return { current: sealedSecretSchema.parse(row.secret_envelope), earlier: [...previous, ...older] };
}

/**
 * @param lastFour of the new current secret; undefined if it is the same secret, sealed again
 * @param now undefined if nothing changes that the organization can see
 */
export async function saveSecrets(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  { secrets, lastFour, now }: { secrets: SealedSecrets; lastFour?: string; now?: Instant },
): Promise<void> {
  const { current, earlier } = secrets;
  const [previous, ...older] = earlier.map(({ until, ...sealed }) => ({ sealed, until: new Date(until) }));
  const last = older.map(({ until }) => until.getTime());
  await trx(TABLE)
    .where({ ...tenantColumns(scope), id })
    .update({
      secret_envelope: JSON.stringify(current),
      previous_secret_envelope: previous === undefined ? null : JSON.stringify(previous.sealed),
      previous_secret_until: previous?.until ?? null,
      older_secrets: JSON.stringify(older.map(({ sealed, until }) => ({ ...sealed, until }))),
      older_key_ids: older.map(({ sealed }) => sealed.keyId),
      older_secrets_until: last.length === 0 ? null : new Date(Math.max(...last)),
      ...(lastFour !== undefined && { secret_last_four: lastFour }),
      ...(now !== undefined && { updated_at: new Date(now) }),
    });
}

/**
 * Lists the ids of the endpoints that may have rolled secrets that no longer sign.
 *
 * @param now real time
 */
export async function listRolledEndpoints(
  trx: DbTransaction,
  scope: WorkspaceScope,
  now: Instant,
): Promise<string[]> {
  return trx(TABLE)
    .where(tenantColumns(scope))
    .where((some) => {
      // An earlier version that runs alongside this one knows and clears only the latest rolled secret.
      void some.where('previous_secret_until', '<=', new Date(now)).orWhereNotNull('older_secrets_until');
    })
    .orderBy('id')
    .pluck<string[]>('id');
}
