import { findTargets, type Reference, type Targets } from '../../connections/reference-store';
import type { ConnectionRef } from '../../connections/connection-ref';
import { providerReferenceLock } from '../../db/advisory-locks';
import { textArray } from '../../db/parameters';
import type { DbTransaction } from '../../db/pools';
import { StaleFacts } from '../../subscriptions/at-provider/reconciler';

/**
 * A webhook that names what is not known yet and the transaction that makes it known may run at the same time. Neither
 * sees the other's rows: the webhook would be kept and never replayed. So they exclude each other: the webhook is kept
 * under a shared lock of each of its references, and a reference is locked before what was kept for it is looked up.
 * The webhook does not wait, since it may hold what the other one needs.
 */
const LOCK = providerReferenceLock(':workspaceId', ':environment', "(:id || ' ' || q.reference)");

/**
 * Locks references until the transaction ends; webhooks that are being kept for them are committed by then. In one
 * order, so that two transactions that lock the same ones do not wait for each other.
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
 * Ends the transaction of a webhook that nothing known here concerns: whoever makes a reference of it known later finds
 * it.
 *
 * @param before what the references named when it was applied
 * @param own references that it has made known itself
 * @throws StaleFacts when one of them has become known since, or is about to: apply it again
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
  if (rows[0]?.locked === false) throw new StaleFacts();
  const now = await findTargets(trx, connection, references);
  if (now.goesBeyond(before, own)) throw new StaleFacts();
}
