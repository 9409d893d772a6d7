import { findTargets, type Reference, type Targets } from '../../connections/reference-store';
import type { ConnectionRef } from '../../connections/connection-ref';
import { providerReferenceLock } from '../../db/advisory-locks';
import { textArray } from '../../db/parameters';
import type { DbTransaction } from '../../db/pools';
import { StaleFactsError } from '../../subscriptions/at-provider/reconciler';

/**
 * A webhook naming an unknown reference and the transaction that makes the reference known may run concurrently.
 * Neither sees the other's rows, so the webhook would be stored and never replayed. They therefore exclude each other:
 * the webhook is stored under a shared lock on each of its references, and a reference is locked before the webhooks
 * stored for it are looked up. The webhook does not wait, because it may hold a lock that the other transaction needs.
 */
const LOCK = providerReferenceLock(':workspaceId', ':environment', "(:id || ' ' || q.reference)");

/**
 * Locks references until the transaction ends; webhooks being stored for them have committed by then. Locks in sorted
 * order, so that two transactions with the same references do not deadlock.
 */
export async function lockReferences(
  trx: DbTransaction,
  { scope, id }: ConnectionRef,
  references: readonly Reference[],
): Promise<void> {
  const names = references.map(({ reference }) => reference).sort();
  await trx.raw(`SELECT pg_advisory_xact_lock(${LOCK}) FROM unnest(:references::text[]) AS q (reference)`, {
    ...scope,
    id,
    references: textArray(names),
  });
}

/**
 * Ends the transaction of a webhook that concerns nothing known here. A transaction that later makes one of its
 * references known finds it.
 *
 * @param before what the references resolved to when the webhook was applied
 * @param own references that the webhook itself made known
 * @throws StaleFactsError if one of them has become known since, or is about to: apply it again
 */
export async function keepUnmatched(
  trx: DbTransaction,
  connection: ConnectionRef,
  references: readonly Reference[],
  { before, own }: { before: Targets; own: readonly Reference[] },
): Promise<void> {
  const { scope, id } = connection;
  const { rows } = await trx.raw<{ rows: { locked: boolean | null }[] }>(
    `SELECT bool_and(pg_try_advisory_xact_lock_shared(${LOCK})) AS locked
       FROM unnest(:references::text[]) AS q (reference)`,
    { ...scope, id, references: textArray(references.map(({ reference }) => reference)) },
  );
  if (rows[0]?.locked === false) throw new StaleFactsError();
  const now = await findTargets(trx, connection, references);
  if (now.goesBeyond(before, own)) throw new StaleFactsError();
}
