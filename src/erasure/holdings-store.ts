import type { DbTransaction } from '../db/pools';
import type { PaymentProvider } from '../domain/provider';
import type { ReferenceKind } from '../providers/canonical-event';
import type { WorkspaceScope } from '../tenancy/actor';
import { OWNED_IDS } from './erased-customer-store';

/** A provider's own ids for a customer's data, by connection. */
export interface Holding {
  connectionId: string;
  provider: PaymentProvider;
  references: { kind: ReferenceKind; reference: string }[];
}

/**
 * Returns where else a customer's data may be: each connection it was sold or charged through, with the provider's ids
 * of the customer and of what it bought. Payments and invoices are listed only if there is nothing else.
 */
export async function findHoldings(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
): Promise<Holding[]> {
  const { rows } = await trx.raw<{ rows: Holding[] }>(
    `WITH held AS (
       SELECT r.connection_id, r.provider, r.kind, r.reference,
              r.kind IN ('customer', 'subscription', 'checkout', 'order') AS names_more
         FROM (${OWNED_IDS}) o JOIN tollgate.provider_references r ON r.target_id = o.id
        WHERE r.workspace_id = :workspaceId AND r.environment = :environment)
     SELECT connection_id AS "connectionId", provider,
            json_agg(json_build_object('kind', kind, 'reference', reference) ORDER BY kind, reference) AS "references"
       FROM held h
      WHERE names_more OR NOT EXISTS (SELECT FROM held o WHERE o.connection_id = h.connection_id AND o.names_more)
      GROUP BY connection_id, provider ORDER BY connection_id`,
    { ...scope, customerId },
  );
  return rows;
}

/** Returns all provider references to the customer and what belongs to it. */
export async function findReferences(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { reference: string }[] }>(
    `SELECT r.reference FROM (${OWNED_IDS}) o JOIN tollgate.provider_references r ON r.target_id = o.id
      WHERE r.workspace_id = :workspaceId AND r.environment = :environment`,
    { ...scope, customerId },
  );
  return rows.map(({ reference }) => reference);
}
