import { findTargets } from '../../connections/reference-store';
import { findPayment, type PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import { findCounterpartId } from './provider-payment-store';
import type { Reconciliation } from './reconciliation';

/**
 * Finds and locks the payment that the provider's facts name, by its own reference or by its invoice.
 *
 * @param how `reload` reads the references again, because another webhook may have stored one since
 */
export async function findKnownPayment(
  { trx, connection, targets }: Reconciliation,
  facts: PaymentFacts,
  how: 'loaded' | 'reload' = 'loaded',
): Promise<PaymentRow | undefined> {
  const named = { kind: facts.kind, reference: facts.reference };
  const read = how === 'reload' ? (await findTargets(trx, connection, [named])).of(named, 'pay_') : undefined;
  const id = read ?? targets.of(named, 'pay_');
  if (id !== undefined) return findPayment(trx, connection.scope, id, 'lock');
  if (facts.invoiceReference === null) return undefined;
  const billed = targets.of({ kind: 'invoice', reference: facts.invoiceReference }, 'pay_');
  const payment = billed === undefined ? undefined : await findPayment(trx, connection.scope, billed, 'lock');
  // One invoice may be paid in parts, which are payments of their own.
  return payment?.amount === facts.amount && payment.currency === facts.currency ? payment : undefined;
}

/**
 * What came before its owner was known is read from the event alone, which may have half of a payment's names: the
 * payment here that has the other half; locked.
 */
export async function findCounterpart(
  { trx, connection, current }: Reconciliation,
  customerId: string,
  facts: PaymentFacts,
): Promise<PaymentRow | undefined> {
  if (current.asked || (facts.kind !== 'invoice' && facts.invoiceReference !== null)) return undefined;
  const id = await findCounterpartId(trx, connection, customerId, facts);
  return id === undefined ? undefined : findPayment(trx, connection.scope, id, 'lock');
}
