import type { DbTransaction } from '../db/pools';
import type { PaymentProvider } from '../domain/provider';
import type { ReferenceKind } from '../providers/canonical-event';
import type { WorkspaceScope } from '../tenancy/actor';
import { OWNED_IDS } from './erased-customer-store';

/** What a connection's provider has of a customer, by the provider's own ids. */
export interface Holding {
  connectionId: string;
  provider: PaymentProvider;
  references: { kind: ReferenceKind; reference: string }[];
}

/**
 * Where data of a customer may be outside: each connection that it was sold or charged through, with the provider's
 * names of it and of what it bought. Payments and invoices are named only where nothing else is.
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

/** Every name that providers have for the customer and what is its own. */
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
