import type { Database } from '../../db/pools';
import { inWorkspace } from '../../db/workspace-transaction';
import { TollgateError } from '../../domain/errors';
import type {
  CanonicalEvent,
  PaymentFacts,
  RefundFacts,
  SettlementFacts,
} from '../../providers/canonical-event';
import type { ConnectionAccess } from '../../providers/connection-access';
import type { Outcome } from '../../providers/outcome';
import type { ConnectionRef } from '../../connections/connection-ref';
import type { ProviderAdapter } from '../../providers/provider-adapter';
import { findTargets, type Reference, type Targets } from '../../connections/reference-store';
import type { CurrentFacts } from './reconciliation';
import { referencesOf, referencesOfFacts } from './references-of-event';
import { findConcernedSubscription } from './find-concerned-subscription';

const PAYMENT_KINDS: readonly Reference['kind'][] = ['capture', 'payment', 'charge', 'order'];

/**
 * Asks the provider for the current state of the objects that an event concerns, before any transaction is open: an
 * event is only a hint, and may be old. The version of our row is read first, so that a change in between is detected.
 * Nothing is asked about objects that are not ours.
 *
 * @throws TollgateError webhook_unverifiable if the provider cannot be asked
 */
export async function fetchCurrent(
  options: { database: Database; adapter: ProviderAdapter; access: ConnectionAccess },
  connection: ConnectionRef,
  event: CanonicalEvent,
): Promise<CurrentFacts> {
  const { adapter, access } = options;
  const nothing: CurrentFacts = {
    fetched: false,
    subscription: null,
    payment: null,
    refunds: [],
    seen: null,
  };
  if (event.type === 'settlement.ready') {
    return { ...nothing, settlement: await currentSettlement(adapter, access, event) };
  }
  if (!isReadAtProvider(event)) return nothing;
  const look = (references: readonly Reference[]) =>
    inWorkspace(options.database, connection.scope, 'SYSTEM', async (trx) => {
      const targets = await findTargets(trx, connection, references);
      return { targets, seen: await findConcernedSubscription(trx, connection, references, targets) };
    });
  const references = referencesOf(event);
  const first = await look(references);
  if (first.targets.empty) return { ...nothing, unknown: true, seen: first.seen };
  // The provider has no more information about a checkout that is over.
  if (event.type === 'checkout.expired') return { ...nothing, seen: first.seen };
  const refunds = event.type === 'refund.changed' ? await currentRefunds(adapter, access, event) : [];
  const payment = await currentPayment(adapter, access, event, refunds[0], first.targets);
  if (payment !== null && refunds.length === 0 && first.targets.of(payment, 'pay_') === undefined) {
    refunds.push(...(await allRefundsOf(adapter, access, payment)));
  }
  const further = referencesOfFacts({ payment, refund: refunds[0] ?? null });
  const { seen } = first.seen === null ? await look([...references, ...further]) : first;
  const known = [...references, ...further].find(({ kind }) => kind === 'subscription')?.reference;
  const subscription =
    known === undefined || seen === null
      ? null
      : valueOf(await adapter.fetchSubscription(access, known), event.subscription ?? null);
  return { fetched: true, subscription, payment, refunds, seen };
}

/** Returns whether the provider is asked about an event of this type at all. */
export function isReadAtProvider({ type }: CanonicalEvent): boolean {
  return type !== 'ignored' && type !== 'dispute.changed';
}

/** Reads the payout, which belongs to the connection itself, even if nothing here knows it. */
async function currentSettlement(
  adapter: ProviderAdapter,
  access: ConnectionAccess,
  event: CanonicalEvent,
): Promise<SettlementFacts | null> {
  const delivered = event.settlement ?? null;
  const reference = delivered?.reference ?? event.references.find(({ kind }) => kind === 'payout')?.reference;
  const fetched = reference === undefined ? undefined : await adapter.fetchSettlement?.(access, reference);
  // The payout of another account, which is connected to this one.
  const isMissing = fetched?.kind === 'declined' && fetched.code === 'not_found';
  if (isMissing && event.account !== undefined) return null;
  return fetched === undefined ? delivered : valueOf(fetched, delivered);
}

async function currentRefunds(
  adapter: ProviderAdapter,
  access: ConnectionAccess,
  event: CanonicalEvent,
): Promise<RefundFacts[]> {
  const delivered = event.refund ?? null;
  const reference = delivered?.reference ?? event.references.find(({ kind }) => kind === 'refund')?.reference;
  if (reference !== undefined) {
    const refund = valueOf(await adapter.fetchRefund(access, reference), delivered);
    return refund === null ? [] : [refund];
  }
  const all = delivered === null ? [] : await allRefundsOf(adapter, access, delivered.of);
  return all.length > 0 || delivered === null ? all : [delivered];
}

/** Reads all refunds of the payment, if a provider's events do not say which refund they concern. */
async function allRefundsOf(
  adapter: ProviderAdapter,
  access: ConnectionAccess,
  { kind, reference }: Reference,
): Promise<RefundFacts[]> {
  // An invoice or a checkout of A has refunds only through its payment.
  const refunds = kind === 'payment' ? await adapter.fetchRefundsOf?.(access, reference) : undefined;
  return refunds === undefined ? [] : (valueOf(refunds, null) ?? []);
}

/** Returns the event's own payment, or the payment of a refund if it is not known here yet. */
async function currentPayment(
  adapter: ProviderAdapter,
  access: ConnectionAccess,
  event: CanonicalEvent,
  refund: RefundFacts | undefined,
  targets: Targets,
): Promise<PaymentFacts | null> {
  if (refund !== undefined) {
    if (targets.of(refund.of, 'pay_') !== undefined) return null;
    return valueOf(await adapter.fetchPayment(access, refund.of.kind, refund.of.reference), null);
  }
  const delivered = event.payment ?? null;
  const paid = event.type.startsWith('payment.') || event.type.startsWith('invoice.');
  const what =
    delivered ?? (paid ? event.references.find(({ kind }) => PAYMENT_KINDS.includes(kind)) : undefined);
  if (what === undefined) return null;
  const current = valueOf(await adapter.fetchPayment(access, what.kind, what.reference), delivered);
  // While a failed payment waits for a retry, the provider calls it pending, but to the payer it has failed.
  const hasFailed = current?.status === 'pending' && delivered?.status === 'failed';
  return hasFailed ? { ...current, status: 'failed' } : current;
}

/** @param delivered the event's own facts, used if the provider has no such read */
export function valueOf<Facts>(outcome: Outcome<Facts>, delivered: Facts | null): Facts | null {
  switch (outcome.kind) {
    case 'done':
    case 'pending':
      return outcome.value;
    case 'unsupported':
      return delivered;
    case 'unknown':
      throw new TollgateError('webhook_unverifiable', `The provider could not be read: ${outcome.reason}`, {
        retryAfter: 30,
      });
    case 'declined':
      throw new Error(
        `The provider refused to report the current state: ${outcome.reason} (${outcome.code}).`,
      );
    case 'customer_action':
      throw new Error('The provider asked for a customer action in answer to a read.');
  }
}
