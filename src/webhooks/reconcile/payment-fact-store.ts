import type { Transaction } from '../../db/pools';
import type { PaymentRow } from '../../payments/payment-store';
import type { WorkspaceScope } from '../../tenancy/scope';

/** What the provider has made of a payment, whose row the caller has locked. */
export async function saveProviderPayment(
  trx: Transaction,
  { workspaceId, environment }: WorkspaceScope,
  payment: Pick<
    PaymentRow,
    'id' | 'status' | 'subscriptionId' | 'appliedAmount' | 'transactionId' | 'receivedAt'
  >,
): Promise<void> {
  await trx('tollgate.payments')
    .where({ workspace_id: workspaceId, environment, id: payment.id })
    .update({
      status: payment.status,
      applied_amount: payment.appliedAmount.toString(),
      subscription_id: payment.subscriptionId,
      transaction_id: payment.transactionId,
      received_at: new Date(payment.receivedAt),
    });
}
