import { workspaceTime } from '../clock/sandbox-clock-store';
import type { ConnectedProvider } from '../connections/connected-providers';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { displayMoney } from '../domain/display-text';
import type { RefundFacts } from '../providers/canonical-event';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { WorkspaceScope } from '../tenancy/actor';
import type { ConnectionRef } from '../connections/connection-ref';
import type { Reconciler } from '../subscriptions/at-provider/reconciler';
import type { RefundAttemptResult, RefundAttempt } from './request-refund';
import { findPayment } from './payment-store';
import { findRefund } from './refund-store';

/** Providers' codes for a refund that exceeds the refundable amount. */
const EXCEEDED_CODES: ReadonlySet<string | undefined> = new Set([
  'refund_exceeds_payment',
  'charge_already_refunded',
  'CAPTURE_FULLY_REFUNDED',
  'REFUND_AMOUNT_EXCEEDED',
  'TRANSACTION_ALREADY_REFUNDED',
  'REFUND_EXCEEDED_TRANSACTION_AMOUNT',
]);

/**
 * Fetches all of the provider's refunds of a payment after it refused one, because some may have been made at the
 * provider. Null if it does not list them or did not answer.
 */
export async function fetchExternalRefunds(
  { adapter, access }: ConnectedProvider,
  { payment }: Pick<RefundAttempt, 'payment'>,
): Promise<RefundFacts[] | null> {
  if (payment.kind !== 'payment') return null;
  const listed = await adapter.fetchRefundsOf?.(access, payment.reference);
  return listed?.kind === 'done' || listed?.kind === 'pending' ? listed.value : null;
}

/** Turns a refusal into a refusal of the command if less is refundable at the provider than is recorded here. */
export async function refusalOfExceededRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
  result: RefundAttemptResult,
  refundsThere: readonly RefundFacts[] | null,
): Promise<RefundAttemptResult> {
  const { outcome, code } = result;
  if (outcome.kind !== 'declined') return result;
  const refund = await findRefund(trx, scope, refundId, 'read');
  const payment = refund && (await findPayment(trx, scope, refund.paymentId, 'read'));
  if (refund === undefined || payment === undefined) return result;
  const { amount, currency } = payment;
  const refunded =
    refundsThere?.reduce((sum, one) => (one.status === 'failed' ? sum : sum + one.amount), 0n) ?? null;
  if (!EXCEEDED_CODES.has(code) && (refunded === null || refunded + refund.amount <= amount)) return result;
  const words = (minor: bigint) => displayMoney({ amount: minor, currency });
  const left =
    refunded === null
      ? 'The payment provider reports a smaller refundable amount.'
      : `${words(refunded)} was already refunded at the payment provider, so ${words(refunded < amount ? amount - refunded : 0n)} can still be refunded.`;
  const refusal = new TollgateError(
    'refund_exceeds_payment',
    `The payment "${payment.id}" is of ${words(amount)}. ${left}`,
  );
  return { ...result, outcome: { ...outcome, refusal } };
}

/** A connection, and what applies facts read through it. */
export interface ReconciledConnection {
  reconciler: Reconciler;
  connection: ConnectionRef;
  adapter: ProviderAdapter;
}

/** Records refunds as the provider lists or answers them, as their webhooks would do. */
export async function recordExternalRefunds(
  trx: DbTransaction,
  { reconciler, connection, adapter }: ReconciledConnection,
  refunds: RefundFacts[],
  recordedAt: Instant,
): Promise<void> {
  const [first] = refunds;
  if (first === undefined) return;
  const now = await workspaceTime(trx, connection.scope, recordedAt);
  const reading = { subscription: null, payment: null, refunds, references: [first.of], seen: null };
  await reconciler.applyReading(trx, connection, reading, { adapter, now, recordedAt });
}
