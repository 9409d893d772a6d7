import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { ReferenceKind } from '../providers/canonical-event';
import type { ProviderReference } from '../providers/provider-operations';
import type { ConnectionRef } from '../connections/connection-ref';

/** Returns the provider's reference of one of our objects at one connection; null if unknown. */
export async function findReferenceOf(
  trx: DbTransaction,
  connection: ConnectionRef,
  kind: ReferenceKind,
  targetId: string,
): Promise<string | null> {
  const found = await references(trx, connection)
    .where({ kind, target_id: targetId })
    .orderBy('created_at', 'desc')
    .first<{ reference: string } | undefined>('reference');
  return found?.reference ?? null;
}

/** Moves a checkout's reference to its payment once it is paid, because later events under it are about the money. */
export async function moveReference(
  trx: DbTransaction,
  connection: ConnectionRef,
  { kind, reference }: ProviderReference,
  move: { from: string; to: string },
): Promise<void> {
  await references(trx, connection)
    .where({ kind, reference, target_id: move.from })
    .update({ target_id: move.to });
}

function references(trx: DbTransaction, { scope, id, provider }: ConnectionRef) {
  return trx('tollgate.provider_references').where({
    ...tenantColumns(scope),
    provider,
    connection_id: id,
  });
}
