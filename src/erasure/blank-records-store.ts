import { ERASED_TEXT } from '../domain/erasure';
import { mentions } from '../domain/mention';
import type { BlankBatch, Blanking } from './blanking';
import { eventDataOf, jsonBindings } from './erased-json-store';

const OWNED = 'workspace_id = :workspaceId AND environment = :environment AND customer_id = :customerId';
const PAYMENT_CONDITION = `r.workspace_id = :workspaceId AND r.environment = :environment
   AND r.payment_id IN (SELECT id FROM tollgate.payments WHERE ${OWNED})`;

/**
 * Returns the SQL that replaces a text by a placeholder and keeps null, because later steps may depend on whether a
 * reason was given.
 */
const worded = (column: string): string => `${column} = CASE WHEN ${column} IS NOT NULL THEN :erased END`;

/** Statements that blank the rows of the other kinds. Amounts, states and times remain. */
const STATEMENTS = {
  subscriptions: `UPDATE tollgate.subscriptions SET metadata = '{}', provider_work = NULL WHERE ${OWNED}
     AND (metadata <> '{}' OR provider_work IS NOT NULL)`,
  subscriptionHistory: `UPDATE tollgate.subscription_history h SET message = :erased, data = ${eventDataOf('h.data')}
     WHERE h.workspace_id = :workspaceId AND h.environment = :environment AND h.message <> :erased
       AND h.subscription_id IN (SELECT id FROM tollgate.subscriptions WHERE ${OWNED})`,
  checkouts: `UPDATE tollgate.checkouts SET url = NULL, success_url = NULL, cancel_url = NULL,
            metadata = CASE WHEN metadata IS NOT NULL THEN '{}'::jsonb END, ${worded('description')}, ${worded('failure')}
     WHERE ${OWNED} AND (num_nonnulls(url, success_url, cancel_url) > 0 OR metadata <> '{}'
                         OR description <> :erased OR failure <> :erased)`,
  credits: `UPDATE tollgate.credit_grants SET reason = NULL WHERE ${OWNED} AND reason IS NOT NULL`,
  portalSessions: `DELETE FROM tollgate.portal_sessions WHERE ${OWNED}`,
  usageReversals: `UPDATE tollgate.usage_reversals SET reason = :erased WHERE ${OWNED} AND reason <> :erased`,
  refunds: `UPDATE tollgate.refunds r SET reason = NULL, ${worded('failure')} WHERE ${PAYMENT_CONDITION}
     AND (reason IS NOT NULL OR failure <> :erased)`,
  disputes: `UPDATE tollgate.disputes r SET reason = NULL WHERE ${PAYMENT_CONDITION} AND reason IS NOT NULL`,
};

/** Rows per statement. */
const BATCH = 5_000;

/** A table of which one customer may have millions of rows, and what blanks them. `where`: those left to do. */
interface ManyRows {
  kind: string;
  table: string;
  statement: string;
  where?: string;
}

/** A customer's users, their counters, and a month of reservations. */
const MANY: readonly ManyRows[] = [
  {
    kind: 'entities',
    table: 'tollgate.customer_entities',
    statement: 'DELETE FROM tollgate.customer_entities',
  },
  {
    kind: 'entityCounters',
    table: 'tollgate.entity_counters',
    statement: 'DELETE FROM tollgate.entity_counters',
  },
  {
    kind: 'reservations',
    table: 'tollgate.usage_reservations',
    statement: 'UPDATE tollgate.usage_reservations SET entity = NULL',
    where: 'entity IS NOT NULL',
  },
];

/**
 * Blanks the rows that belong to the customer: all at once where there are only as many as a person can read, the
 * others in batches.
 *
 * @param after the kind to continue with
 */
export const blankRecords: BlankBatch = async (work, after) => {
  const blanked = after === null ? await blankFew(work) : {};
  const from = after === null ? 0 : MANY.findIndex(({ kind }) => kind === after);
  for (const many of MANY.slice(from)) {
    const count = await blankSome(work, many);
    blanked[many.kind] = count;
    // Not until nothing is found: a row that something else has just changed is left to the next batch.
    if (count > 0) return { blanked, after: many.kind };
  }
  return { blanked, after: null };
};

async function blankFew(work: Blanking): Promise<Record<string, number>> {
  const { trx, scope, customerId } = work;
  const blanked: Record<string, number> = {};
  for (const [kind, statement] of Object.entries(STATEMENTS)) {
    const bindings = { ...scope, ...jsonBindings(customerId), customerId, erased: ERASED_TEXT };
    const { rowCount } = await trx.raw<{ rowCount: number }>(statement, bindings);
    blanked[kind] = rowCount;
  }
  return { ...blanked, payments: await blankPaymentReferences(work) };
}

/** Finds the rows by their places: a join by their keys is planned as if the table had few rows while it is new. */
async function blankSome(
  { trx, scope, customerId }: Blanking,
  { table, statement, where = 'true' }: ManyRows,
): Promise<number> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `${statement} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${OWNED} AND ${where} LIMIT ${BATCH}))
        AND ${OWNED} AND ${where}`,
    { ...scope, customerId },
  );
  return rowCount;
}

/**
 * Blanks references of manually recorded payments that name the customer. Such a reference is free text and evidence,
 * so others are kept. A provider's reference identifies the payment at the provider.
 */
async function blankPaymentReferences({ trx, scope, customerId, names }: Blanking): Promise<number> {
  const tenant = { workspace_id: scope.workspaceId, environment: scope.environment };
  const noted = await trx('tollgate.payments')
    .where({ ...tenant, customer_id: customerId, provider: 'internal' })
    .whereNotNull('reference')
    .select<{ id: string; reference: string }[]>('id', 'reference');
  const telling = noted.filter(({ reference }) => mentions(reference, names)).map(({ id }) => id);
  return trx('tollgate.payments').where(tenant).whereIn('id', telling).update({ reference: null });
}
