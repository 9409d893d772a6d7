import type { DbTransaction } from '../db/pools';
import { findDispute } from '../payments/dispute-store';
import { findPayment } from '../payments/payment-store';
import { findRefund } from '../payments/refund-store';
import type { CollectedPayment } from '../providers/canonical-event';
import type { ConnectionRef } from '../connections/connection-ref';
import { PAYMENT_REFERENCE_KINDS } from './reconcile/payment-references';
import { findTargets, type Reference } from '../connections/reference-store';

/** Whether a payment stands here as it was read, under each of its names, with its subscription, refunds and disputes. */
export async function isImported(
  trx: DbTransaction,
  connection: ConnectionRef,
  { payment, references, refunds, disputes }: CollectedPayment,
): Promise<boolean> {
  if (payment.amount <= 0n) return true;
  const { scope } = connection;
  const own: Reference = { kind: payment.kind, reference: payment.reference };
  const names = [own, ...references.filter(({ kind }) => PAYMENT_REFERENCE_KINDS.includes(kind))];
  const owners = references.filter(({ kind }) => kind === 'subscription');
  const refundNames = refunds.flatMap(({ reference }): Reference[] =>
    reference === null ? [] : [{ kind: 'refund', reference }],
  );
  const targets = await findTargets(trx, connection, [...names, ...owners, ...refundNames]);
  const id = targets.of(own, 'pay_');
  if (id === undefined || names.some((name) => targets.of(name, 'pay_') !== id)) return false;
  const row = await findPayment(trx, scope, id, 'read');
  // What has succeeded stays so.
  if (row === undefined || (row.status !== payment.status && row.status !== 'succeeded')) return false;
  if (row.subscriptionId === null && targets.first(owners, 'sub_') !== undefined) return false;
  for (const { reference, status } of refunds) {
    const refundId = reference === null ? undefined : targets.of({ kind: 'refund', reference }, 'ref_');
    const refund = refundId === undefined ? undefined : await findRefund(trx, scope, refundId, 'read');
    if (refund?.status !== status) return false;
  }
  for (const { dispute } of disputes) {
    const known = await findDispute(trx, scope, connection.id, dispute.reference);
    if (known?.status !== dispute.status) return false;
  }
  return true;
}
