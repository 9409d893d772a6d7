import { requireConnection } from '../connections/require-connection';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { ReferenceKind } from '../providers/canonical-event';
import type { ProviderReference } from '../providers/provider-operations';
import type { WorkspaceScope } from '../tenancy/actor';
import type { PaymentNames, PaymentRow } from './payment-store';
import type { PaymentProvider } from '../domain/provider';
import { providerRefused } from '../domain/provider-refused';

/**
 * The kinds of references by which each provider refunds a payment, best first. Provider B requires the capture, or the
 * sale for a subscription's payment; never the order, which may have several captures.
 */
const TAKEN: Record<PaymentProvider, readonly ReferenceKind[]> = {
  provider_a: ['payment', 'charge', 'invoice'],
  provider_b: ['capture', 'payment'],
  provider_c: ['payment', 'charge'],
};

/** The connection and the reference used to request a refund. */
export interface RefundableReference {
  connectionId: string;
  reference: ProviderReference;
}

/**
 * Returns the reference by which the payment's provider refunds it; of several of one kind, the payment's own.
 *
 * @throws TollgateError payment_not_refundable when it has none, so that no refund can be requested
 */
export function refundableReference(
  payment: Pick<PaymentRow, 'id' | 'reference'> & PaymentNames,
  provider: PaymentProvider,
): RefundableReference {
  const { connectionId, references } = payment;
  for (const kind of TAKEN[provider]) {
    const ofKind = references.filter((one) => one.kind === kind);
    const reference = ofKind.find((one) => one.reference === payment.reference) ?? ofKind[0];
    if (reference !== undefined && connectionId !== null) return { connectionId, reference };
  }
  throw new TollgateError(
    'payment_not_refundable',
    `The provider’s ${WANTED[provider]} of "${payment.id}" is not known yet. Try again once its webhook has arrived, or refund it at the provider.`,
  );
}

const WANTED: Record<PaymentProvider, string> = {
  provider_a: 'payment or charge',
  provider_b: 'capture or sale',
  provider_c: 'transaction',
};

/** The secrets required to call each provider. */
const NEEDED: Record<PaymentProvider, readonly string[]> = {
  provider_a: ['secretKey'],
  provider_b: ['clientId', 'clientSecret'],
  provider_c: ['secretKey'],
};

/**
 * Refuses a refund that could not be requested, before anything is reserved. Local billing has no provider to ask.
 *
 * @throws TollgateError payment_not_refundable, connection_not_found, connection_disabled, provider_refused
 */
export async function requireRefundable(
  trx: DbTransaction,
  scope: WorkspaceScope,
  payment: PaymentRow & PaymentNames,
): Promise<void> {
  const { provider } = payment;
  if (provider === 'internal') return;
  const { connectionId } = refundableReference(payment, provider);
  const connection = await requireConnection(trx, scope, connectionId);
  const missing = NEEDED[provider].filter((member) => !(member in connection.secret_hints));
  if (missing.length === 0) return;
  throw providerRefused(
    'connection_incomplete',
    `The connection "${connectionId}" has no ${missing.join(' and no ')}, so it cannot reach the payment provider. Complete its credentials and try again.`,
  );
}
