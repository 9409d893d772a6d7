import type { CanonicalEvent, RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { ProviderAdapter } from '../provider-adapter';
import type { Fetched } from './client';
import { isKeyComplete, withStateNow } from './dedupe-key';
import { fetchCollected } from './fetch-collected';
import { listDisputes } from './list-disputes';
import { listPayments } from './list-payments';
import { listRefunds } from './list-refunds';
import { providerCOperations } from './operations';
import { readEvent } from './read-event';
import { fetchPayment } from './fetch-payment';
import { fetchRefund, fetchRefundsOf } from './fetch-refund';
import { fetchBilledSubscription, fetchSubscription, subscriptionStateNow } from './fetch-subscription';
import { testConnection } from './test-connection';
import { verifyWebhook } from './verify-webhook';

/** Provider C's adapter, with more operations: its events have no ids, and its refund events do not name the refund. */
export interface ProviderCAdapter extends ProviderAdapter {
  /**
   * Returns the key to store a verified event under. Usually that is the event's own key; where two events can be
   * byte-identical (see `isKeyComplete`), the provider is asked for the state of the object the event names.
   */
  dedupeKeyNow(access: ConnectionAccess, event: CanonicalEvent): Promise<Fetched<string>>;
  /** Fetches all refunds of the payment with this reference. A refund event is applied by applying all of these. */
  fetchRefundsOf(access: ConnectionAccess, reference: string): Promise<Fetched<RefundFacts[]>>;
}

export const providerC: ProviderCAdapter = {
  provider: 'provider_c',
  testConnection,
  verifyWebhook: (access, webhook) => Promise.resolve(verifyWebhook(access, webhook)),
  readEvent,
  fetchSubscription,
  fetchBilledSubscription,
  fetchPayment,
  fetchRefund,
  fetchRefundsOf,
  listPayments,
  fetchCollected,
  listRefunds,
  listDisputes,
  dedupeKeyNow,
  ...providerCOperations,
};

async function dedupeKeyNow(access: ConnectionAccess, event: CanonicalEvent): Promise<Fetched<string>> {
  if (isKeyComplete(event)) return { kind: 'done', value: event.dedupeKey };
  const state = await stateNow(access, event);
  return state.kind === 'done' ? { kind: 'done', value: withStateNow(event, state.value) } : state;
}

/** Fetches the provider's current state of the object that the event names. */
async function stateNow(access: ConnectionAccess, event: CanonicalEvent): Promise<Fetched<unknown>> {
  if (event.type === 'refund.changed') {
    const payment = event.references.find(({ kind }) => kind === 'payment');
    if (payment === undefined) return { kind: 'done', value: null };
    const refunds = await fetchRefundsOf(access, payment.reference);
    if (refunds.kind !== 'done') return refunds;
    return {
      kind: 'done',
      value: refunds.value.map(({ reference, status, needs }) =>
        needs === undefined ? [reference, status] : [reference, status, needs],
      ),
    };
  }
  const subscription = event.references.find(({ kind }) => kind === 'subscription');
  if (subscription === undefined) return { kind: 'done', value: null };
  return subscriptionStateNow(access, subscription.reference);
}
