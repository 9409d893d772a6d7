import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { CanonicalEvent } from './canonical-event';
import type { ConnectionAccess } from './connection-access';
import { ConnectionQueues, QueueRejected, type ConnectionBounds } from './connection-queues';
import { redactSecrets } from './redact-secrets';
import { refusesCredentials } from './refused-credentials';
import type { Outcome } from './outcome';
import type { ProviderAdapter } from './provider-adapter';
import type { ProviderReference } from './provider-operations';

/** Lower than the providers' own limits, because several processes may call for the same connection. */
const DEFAULTS: Record<ConnectionAccess['apiMode'], ConnectionBounds> = {
  sandbox: { atOnce: 8, waiting: 100, aSecond: 25, longestWaitMs: 10_000 },
  live: { atOnce: 8, waiting: 100, aSecond: 50, longestWaitMs: 10_000 },
};

/** Overrides of the defaults, by the connection's mode. */
export type BoundsByMode = Readonly<
  Record<
    ConnectionAccess['apiMode'],
    Partial<ConnectionBounds> & {
      /** Time limit for one call to the provider (milliseconds). */
      timeoutMs?: number;
    }
  >
>;

/**
 * Receives a call's environment, provider, outcome (`not_sent` if the queue rejected it, `credentials_refused` if the
 * provider refused the key), and the provider's time.
 */
export type ObserveProviderCall = (
  environment: Environment,
  provider: string,
  outcome: string,
  seconds: number,
) => void;

interface LimitOptions {
  /** Whether a verification calls the provider; one that is only computed never waits. */
  verification: 'asks' | 'computes';
  bounds?: BoundsByMode | undefined;
  observe?: ObserveProviderCall | undefined;
}

/**
 * Returns the same adapter with bounded calls per connection, so that one workspace's month end does not delay
 * another's. A call that was not made is `unknown`, and such a verification is `unavailable`, which fails closed.
 * Verifications can be caused by strangers, so they have bounds of their own and take no capacity from the service's
 * own calls. Reasons are returned without the connection's secrets, whatever the provider quotes.
 */
export function limitConnections(adapter: ProviderAdapter, options: LimitOptions): ProviderAdapter {
  const { bounds, observe } = options;
  const createQueues = (): Record<ConnectionAccess['apiMode'], ConnectionQueues> => ({
    sandbox: new ConnectionQueues({ ...DEFAULTS.sandbox, ...bounds?.sandbox }),
    live: new ConnectionQueues({ ...DEFAULTS.live, ...bounds?.live }),
  });
  const inTime = (access: ConnectionAccess): ConnectionAccess => {
    const timeoutMs = bounds?.[access.apiMode].timeoutMs;
    if (timeoutMs === undefined) return access;
    // A caller that can do without the answer sets a shorter time limit.
    return { ...access, timeoutMs: Math.min(timeoutMs, access.timeoutMs ?? timeoutMs) };
  };
  const [calls, verifications] = [createQueues(), createQueues()];

  const ask = async <T>(
    access: ConnectionAccess,
    call: (access: ConnectionAccess) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    let sentAt = 0;
    // Each environment has one mode (src/db/migrations/0013_connections.sql).
    const environment = access.apiMode === 'live' ? 'production' : 'sandbox';
    const outcome = await calls[access.apiMode].run(access.connectionId, () => {
      sentAt = performance.now();
      return call(inTime(access));
    });
    if (outcome instanceof QueueRejected) {
      observe?.(environment, adapter.provider, 'not_sent', 0);
      return { kind: 'unknown', reason: outcome.reason };
    }
    const observed = refusesCredentials(outcome) ? 'credentials_refused' : outcome.kind;
    observe?.(environment, adapter.provider, observed, (performance.now() - sentAt) / 1_000);
    return 'reason' in outcome ? { ...outcome, reason: redactSecrets(access, outcome.reason) } : outcome;
  };
  const fetchSettlement = adapter.fetchSettlement?.bind(adapter);
  const dedupeKeyNow = adapter.dedupeKeyNow?.bind(adapter);
  const fetchRefundsOf = adapter.fetchRefundsOf?.bind(adapter);
  const listPayments = adapter.listPayments?.bind(adapter);
  const fetchCollected = adapter.fetchCollected?.bind(adapter);
  const listRefunds = adapter.listRefunds?.bind(adapter);
  const listDisputes = adapter.listDisputes?.bind(adapter);
  const fetchDispute = adapter.fetchDispute?.bind(adapter);
  const fetchPaymentPage = adapter.fetchPaymentPage?.bind(adapter);

  return {
    provider: adapter.provider,
    readEvent: (raw) => adapter.readEvent(raw),

    testConnection: async (access) => {
      const { apiMode, connectionId } = access;
      const checks = await calls[apiMode].run(connectionId, () => adapter.testConnection(inTime(access)));
      if (!(checks instanceof QueueRejected)) return checks;
      return [{ check: 'authentication', ok: false, message: `${checks.reason} Try again in a moment.` }];
    },

    verifyWebhook: async (access, webhook) => {
      if (options.verification === 'computes') return adapter.verifyWebhook(access, webhook);
      const { apiMode, connectionId } = access;
      const verify = () => adapter.verifyWebhook(inTime(access), webhook);
      const verdict = await verifications[apiMode].run(connectionId, verify);
      return verdict instanceof QueueRejected ? 'unavailable' : verdict;
    },

    fetchSubscription: (access, reference) =>
      ask(access, (bounded) => adapter.fetchSubscription(bounded, reference)),
    fetchBilledSubscription: (access, reference) =>
      ask(access, (bounded) => adapter.fetchBilledSubscription(bounded, reference)),
    fetchPayment: (access, kind, reference) =>
      ask(access, (bounded) => adapter.fetchPayment(bounded, kind, reference)),
    fetchRefund: (access, reference) => ask(access, (bounded) => adapter.fetchRefund(bounded, reference)),
    createCheckout: (access, request) => ask(access, (bounded) => adapter.createCheckout(bounded, request)),
    fetchPlanPrice: (access, reference) =>
      ask(access, (bounded) => adapter.fetchPlanPrice(bounded, reference)),
    fetchCheckout: (access, reference) => ask(access, (bounded) => adapter.fetchCheckout(bounded, reference)),
    expireCheckout: (access, ...what) => ask(access, (bounded) => adapter.expireCheckout(bounded, ...what)),
    captureCheckout: (access, ...what) => ask(access, (bounded) => adapter.captureCheckout(bounded, ...what)),
    changeSubscription: (access, request) =>
      ask(access, (bounded) => adapter.changeSubscription(bounded, request)),
    cancelSubscription: (access, request) =>
      ask(access, (bounded) => adapter.cancelSubscription(bounded, request)),
    reactivateSubscription: (access, request) =>
      ask(access, (bounded) => adapter.reactivateSubscription(bounded, request)),
    refundPayment: (access, request) => ask(access, (bounded) => adapter.refundPayment(bounded, request)),
    listSettlements: (access, range) => ask(access, (bounded) => adapter.listSettlements(bounded, range)),
    ...(fetchSettlement && {
      fetchSettlement: (access: ConnectionAccess, reference: string) =>
        ask(access, (bounded) => fetchSettlement(bounded, reference)),
    }),
    ...(dedupeKeyNow && {
      dedupeKeyNow: (access: ConnectionAccess, event: CanonicalEvent) =>
        ask(access, (bounded) => dedupeKeyNow(bounded, event)),
    }),
    ...(fetchRefundsOf && {
      fetchRefundsOf: (access: ConnectionAccess, reference: string) =>
        ask(access, (bounded) => fetchRefundsOf(bounded, reference)),
    }),
    ...(listPayments && {
      listPayments: (access: ConnectionAccess, subscription: string, since: Instant) =>
        ask(access, (bounded) => listPayments(bounded, subscription, since)),
    }),
    ...(fetchCollected && {
      fetchCollected: (access: ConnectionAccess, named: ProviderReference) =>
        ask(access, (bounded) => fetchCollected(bounded, named)),
    }),
    ...(listRefunds && {
      listRefunds: (access: ConnectionAccess, since: Instant) =>
        ask(access, (bounded) => listRefunds(bounded, since)),
    }),
    ...(listDisputes && {
      listDisputes: (access: ConnectionAccess, since: Instant) =>
        ask(access, (bounded) => listDisputes(bounded, since)),
    }),
    ...(fetchDispute && {
      fetchDispute: (access: ConnectionAccess, reference: string) =>
        ask(access, (bounded) => fetchDispute(bounded, reference)),
    }),
    ...(fetchPaymentPage && {
      fetchPaymentPage: (access: ConnectionAccess, subscription: string) =>
        ask(access, (bounded) => fetchPaymentPage(bounded, subscription)),
    }),
  };
}
