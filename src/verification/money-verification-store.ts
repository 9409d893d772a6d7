import type { DbTransaction } from '../db/pools';
import { UNPAID_PERIODS } from '../subscriptions/at-provider/payments-read-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOf, type Finding } from './finding-store';

export interface BillingTotals {
  subscriptions: number;
  transactions: number;
  payments: number;
}

export async function countBilling(trx: DbTransaction, scope: WorkspaceScope): Promise<BillingTotals> {
  const { rows } = await trx.raw<{ rows: Record<keyof BillingTotals, string>[] }>(
    `SELECT (SELECT count(*) FROM tollgate.subscriptions WHERE workspace_id = :workspaceId AND environment = :environment) AS subscriptions,
            (SELECT count(*) FROM tollgate.subscription_transactions WHERE workspace_id = :workspaceId AND environment = :environment) AS transactions,
            (SELECT count(*) FROM tollgate.payments WHERE workspace_id = :workspaceId AND environment = :environment) AS payments`,
    { ...scope },
  );
  const [totals] = rows;
  return {
    subscriptions: Number(totals?.subscriptions ?? 0),
    transactions: Number(totals?.transactions ?? 0),
    payments: Number(totals?.payments ?? 0),
  };
}

/** Finds lines whose amount is not quantity times price. */
export async function lineDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('line %s of transaction %s: %s × %s is not %s', number, t.id, line->>'quantity', line->>'unitAmount', line->>'amount') AS example
       FROM tollgate.subscription_transactions t
      CROSS JOIN LATERAL jsonb_array_elements(t.lines) WITH ORDINALITY AS l (line, number)
      WHERE t.workspace_id = :workspaceId AND t.environment = :environment
        AND (line->>'quantity')::numeric * (line->>'unitAmount')::numeric <> (line->>'amount')::numeric`,
  );
}

/** Finds transactions whose lines do not add up to the subtotal, or whose subtotal and tax differ from the total. */
export async function totalDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('transaction %s: lines of %s, subtotal %s, tax %s (%s), total %s', id, lines_sum, subtotal, tax_amount, behavior, total) AS example
       FROM (SELECT t.*, t.tax->>'behavior' AS behavior,
                    (SELECT COALESCE(sum((line->>'amount')::numeric), 0) FROM jsonb_array_elements(t.lines) AS line) AS lines_sum
               FROM tollgate.subscription_transactions t
              WHERE t.workspace_id = :workspaceId AND t.environment = :environment) AS t
      WHERE lines_sum <> subtotal
         OR total <> subtotal + CASE behavior WHEN 'exclusive' THEN tax_amount ELSE 0 END
         OR (kind = 'proration' AND (proration->>'net')::numeric <> subtotal)`,
  );
}

/** Finds transactions whose tax is not their rates' share of the subtotal, rounded to the minor unit. */
export async function taxDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('transaction %s: tax %s of %s at %s (%s)', id, tax_amount, subtotal, rate, behavior) AS example
       FROM (SELECT t.*, t.tax->>'behavior' AS behavior,
                    (SELECT COALESCE(sum((one->>'rate')::numeric), 0) FROM jsonb_array_elements(t.tax->'rates') AS one) AS rate
               FROM tollgate.subscription_transactions t
              WHERE t.workspace_id = :workspaceId AND t.environment = :environment) AS t
      WHERE abs(tax_amount - CASE behavior WHEN 'exclusive' THEN subtotal * rate
                                           WHEN 'inclusive' THEN subtotal * rate / (1 + rate)
                                           ELSE 0 END) > 0.5 + 1e-9`,
  );
}

/** Finds transactions whose paid amount differs from the sum of their payments, or whose status does not match it. */
export async function paidDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH applied AS (
       SELECT transaction_id AS id, sum(applied_amount) AS amount FROM tollgate.payments
        WHERE workspace_id = :workspaceId AND environment = :environment AND status = 'succeeded'
          AND transaction_id IS NOT NULL
        GROUP BY transaction_id)
     SELECT format('transaction %s: %s, %s of %s paid, its payments came to %s', t.id, t.status, t.amount_paid, t.total, COALESCE(applied.amount, 0)) AS example
       FROM tollgate.subscription_transactions t LEFT JOIN applied USING (id)
      WHERE t.workspace_id = :workspaceId AND t.environment = :environment
        AND (t.amount_paid <> COALESCE(applied.amount, 0)
             OR (t.status = 'pending' AND (t.amount_paid > 0 OR t.total = 0))
             OR (t.status = 'partially_paid' AND t.amount_paid = 0))`,
  );
}

/** Finds payments that do not match their transaction's subscription, customer and currency, or are over-refunded. */
export async function paymentDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH given_back AS (
       SELECT r.payment_id AS id, sum(r.amount) AS amount, bool_or(r.currency <> p.currency) AS foreign_currency
         FROM tollgate.refunds r
         JOIN tollgate.payments p USING (workspace_id, environment)
        WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND p.id = r.payment_id
          AND r.status IN ('pending', 'succeeded')
        GROUP BY r.payment_id)
     SELECT format('payment %s: %s %s, refunds of %s', p.id, p.amount, p.currency, COALESCE(given_back.amount, 0)) AS example
       FROM tollgate.payments p LEFT JOIN given_back USING (id)
      WHERE p.workspace_id = :workspaceId AND p.environment = :environment
        AND (given_back.foreign_currency
             -- A provider's own refunds are recorded as they come.
             OR (p.provider = 'internal' AND given_back.amount > p.amount))
      UNION ALL
     SELECT format('payment %s: not of the currency, customer and subscription of transaction %s', p.id, t.id)
       FROM tollgate.payments p
       JOIN tollgate.subscription_transactions t USING (workspace_id, environment)
      WHERE p.workspace_id = :workspaceId AND p.environment = :environment AND t.id = p.transaction_id
        AND ((p.currency, p.customer_id) <> (t.currency, t.customer_id)
             OR p.subscription_id IS DISTINCT FROM t.subscription_id)`,
  );
}

/**
 * Finds settlements that are not the sum of their payments and refunds, or that count one of another currency or
 * provider. Also finds failed settlements that still count one.
 */
export async function settlementDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH line AS (
       SELECT settlement_id AS id, amount AS paid, 0 AS refunded, currency, provider FROM tollgate.payments
        WHERE workspace_id = :workspaceId AND environment = :environment AND settlement_id IS NOT NULL
       UNION ALL
       SELECT r.settlement_id, 0, r.amount, r.currency, p.provider
         FROM tollgate.refunds r
         JOIN tollgate.payments p USING (workspace_id, environment)
        WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND p.id = r.payment_id
          AND r.settlement_id IS NOT NULL
       UNION ALL
       SELECT r.returned_settlement_id, 0, -r.amount, r.currency, p.provider
         FROM tollgate.refunds r
         JOIN tollgate.payments p USING (workspace_id, environment)
        WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND p.id = r.payment_id
          AND r.returned_settlement_id IS NOT NULL)
     SELECT format('settlement %s: paid %s and refunded %s, its lines come to %s and %s', s.id, s.paid, s.refunded,
              COALESCE(sum(line.paid), 0), COALESCE(sum(line.refunded), 0)) AS example
       FROM tollgate.settlements s LEFT JOIN line USING (id)
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment
      GROUP BY s.workspace_id, s.environment, s.id
     HAVING CASE s.status WHEN 'failed' THEN count(line.id) > 0
              ELSE s.paid <> COALESCE(sum(line.paid), 0) OR s.refunded <> COALESCE(sum(line.refunded), 0) END
         OR bool_or(line.currency <> s.currency OR line.provider <> s.provider)`,
  );
}

/** Finds settlement lines linked to another payment or refund than their settlement counts. */
export async function settlementLineDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('settlement %s: its line %s %s counts %s', s.id, l.kind, l.reference, l.target_id) AS example
       FROM tollgate.settlement_lines l
       JOIN tollgate.settlements s ON s.workspace_id = l.workspace_id AND s.environment = l.environment AND s.id = l.settlement_id
       LEFT JOIN tollgate.payments p ON p.workspace_id = l.workspace_id AND p.environment = l.environment AND p.id = l.target_id
       LEFT JOIN tollgate.refunds r ON r.workspace_id = l.workspace_id AND r.environment = l.environment AND r.id = l.target_id
      WHERE l.workspace_id = :workspaceId AND l.environment = :environment AND l.target_id IS NOT NULL
        AND s.status = 'settled'
        AND CASE WHEN r.id IS NOT NULL AND l.amount > 0 THEN r.returned_settlement_id IS DISTINCT FROM s.id OR r.amount <> l.amount
              ELSE coalesce(p.settlement_id, r.settlement_id) IS DISTINCT FROM s.id OR coalesce(p.amount, -r.amount) <> l.amount END`,
  );
}

/** Finds periods that began at a provider and have no payment, although their charges were read since. */
export async function unpaidPeriods(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(trx, scope, UNPAID_PERIODS);
}

/** Finds disputes whose loss is not among their payment's refunds, or that have one although they were not lost. */
export async function disputeDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('dispute %s: %s, %s %s of payment %s, its refund %s of %s', d.id, d.status, d.amount, d.currency, d.payment_id,
              COALESCE(r.status, 'missing'), COALESCE(r.amount, 0)) AS example
       FROM tollgate.disputes d
       JOIN tollgate.payments p ON p.workspace_id = d.workspace_id AND p.environment = d.environment AND p.id = d.payment_id
       LEFT JOIN tollgate.refunds r ON r.workspace_id = d.workspace_id AND r.environment = d.environment AND r.dispute_id = d.id
      WHERE d.workspace_id = :workspaceId AND d.environment = :environment AND d.currency = p.currency
        AND CASE d.status WHEN 'lost' THEN r.payment_id IS DISTINCT FROM d.payment_id OR r.status = 'failed' OR r.amount <> d.amount
              ELSE COALESCE(r.status, 'failed') <> 'failed' END`,
  );
}
