import { plainArray, providerTime } from '../../db/parameters';
import type { DbTransaction } from '../../db/pools';
import { tenantColumns } from '../../db/tenant-columns';
import type { PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { ConnectionRef } from '../../connections/connection-ref';

/** Saves the provider's state of a payment, whose row the caller has locked. */
export async function saveProviderPayment(
  trx: DbTransaction,
  scope: WorkspaceScope,
  payment: Pick<
    PaymentRow,
    | 'id'
    | 'customerId'
    | 'subscriptionId'
    | 'transactionId'
    | 'status'
    | 'amount'
    | 'appliedAmount'
    | 'receivedAt'
  >,
): Promise<void> {
  await trx('tollgate.payments')
    .where({ ...tenantColumns(scope), id: payment.id })
    .update({
      customer_id: payment.customerId,
      status: payment.status,
      amount: payment.amount.toString(),
      applied_amount: payment.appliedAmount.toString(),
      subscription_id: payment.subscriptionId,
      transaction_id: payment.transactionId,
      received_at: providerTime(payment.receivedAt),
    });
}

/** Saves the one-time checkout that a payment was made through; the caller has locked its row. */
export async function saveCheckoutOfPayment(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  checkoutId: string,
): Promise<void> {
  await trx('tollgate.payments')
    .where({ ...tenantColumns(scope), id })
    .update({ checkout_id: checkoutId });
}

/** An invoice is made an hour before it is charged. */
const APART = '2 hours';

/** The kinds of a payment's own references; an invoice's reference names the demand. */
const OWN_KINDS = ['payment', 'charge', 'capture'];

/**
 * Finds the counterpart of an invoice whose event does not name its payment, or of a payment whose event does not name
 * its invoice: the customer's payment of the same amount and time that has the other half of the references, nearest in
 * time. It may be recorded as of when it was made, because it has failed then, or as of when it was paid.
 */
export async function findCounterpartId(
  trx: DbTransaction,
  { scope, id: connectionId, provider }: ConnectionRef,
  customerId: string,
  { kind, amount, currency, occurredAt, paidAt }: PaymentFacts,
): Promise<string | undefined> {
  if (occurredAt === null) return undefined;
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `WITH named AS (
       SELECT p.id, p.received_at, array_agg(r.kind::text) AS kinds
         FROM tollgate.payments p
         JOIN tollgate.provider_references r
           ON r.workspace_id = p.workspace_id AND r.environment = p.environment AND r.target_id = p.id
          AND r.connection_id = :connectionId
        WHERE p.workspace_id = :workspaceId AND p.environment = :environment AND p.customer_id = :customerId
          AND p.provider = :provider AND p.amount = :amount AND p.currency = :currency
          AND (p.received_at BETWEEN :madeAt::timestamptz - :apart::interval AND :madeAt::timestamptz + :apart::interval
               OR p.received_at BETWEEN :paidAt::timestamptz - :apart::interval AND :paidAt::timestamptz + :apart::interval)
        GROUP BY p.id, p.received_at)
     SELECT id FROM named WHERE NOT kinds && :missing::text[]
      ORDER BY least(abs(extract(epoch FROM received_at - :madeAt::timestamptz)),
                     abs(extract(epoch FROM received_at - :paidAt::timestamptz))), id
      LIMIT 1`,
    {
      ...scope,
      connectionId,
      provider,
      customerId,
      amount: amount.toString(),
      currency,
      madeAt: providerTime(occurredAt),
      paidAt: providerTime(paidAt ?? occurredAt),
      apart: APART,
      missing: plainArray(kind === 'invoice' ? ['invoice'] : OWN_KINDS),
    },
  );
  return rows[0]?.id;
}
