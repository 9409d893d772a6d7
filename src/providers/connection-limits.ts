import type { Instant } from '../domain/instant';
import type { CanonicalEvent } from './canonical-event';
import type { ConnectionAccess } from './connection-access';
import { ConnectionLines, TurnedAway, type ConnectionBounds } from './connection-line';
import { maskedWords } from './masked-words';
import type { Outcome } from './outcome';
import type { ProviderAdapter } from './provider-adapter';

/** The providers' own limits are higher; more than one process may ask for a connection. */
const DEFAULTS: Record<ConnectionAccess['apiMode'], ConnectionBounds> = {
  sandbox: { atOnce: 8, waiting: 100, aSecond: 25, longestWaitMs: 10_000 },
  live: { atOnce: 8, waiting: 100, aSecond: 50, longestWaitMs: 10_000 },
};

/** In place of the defaults, by the connection's mode. */
export type BoundsByMode = Readonly<Record<ConnectionAccess['apiMode'], Partial<ConnectionBounds>>>;

interface LimitOptions {
  /** Whether the provider is asked for a verification; one that is only computed waits for nothing. */
  verification: 'asks' | 'computes';
  /** Real time. */
  now: () => Instant;
  bounds?: BoundsByMode | undefined;
}

/**
 * The same adapter, with the calls of each connection bounded: one workspace's month end holds up nobody else's.
 * A call that was not made is `unknown`, a verification `unavailable`, which fails closed. Verifications, which
 * strangers can cause, have bounds of their own and take nothing from what the service itself asks. Reasons come
 * without the connection's secrets, whatever the provider quotes.
 */
export function limitConnections(adapter: ProviderAdapter, options: LimitOptions): ProviderAdapter {
  const { now, bounds } = options;
  const linesOf = (): Record<ConnectionAccess['apiMode'], ConnectionLines> => ({
    sandbox: new ConnectionLines({ ...DEFAULTS.sandbox, ...bounds?.sandbox }, now),
    live: new ConnectionLines({ ...DEFAULTS.live, ...bounds?.live }, now),
  });
  const [calls, verifications] = [linesOf(), linesOf()];

  const ask = async <T>(access: ConnectionAccess, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    const outcome = await calls[access.apiMode].pass(access.connectionId, call);
    if (outcome instanceof TurnedAway) return { kind: 'unknown', reason: outcome.reason };
    return 'reason' in outcome ? { ...outcome, reason: maskedWords(access, outcome.reason) } : outcome;
  };
  const fetchSettlement = adapter.fetchSettlement?.bind(adapter);
  const dedupeKeyNow = adapter.dedupeKeyNow?.bind(adapter);
  const fetchRefundsOf = adapter.fetchRefundsOf?.bind(adapter);

  return {
    provider: adapter.provider,
    readEvent: (raw) => adapter.readEvent(raw),

    testConnection: async (access) => {
      const { apiMode, connectionId } = access;
      const checks = await calls[apiMode].pass(connectionId, () => adapter.testConnection(access));
      if (!(checks instanceof TurnedAway)) return checks;
      return [{ check: 'authentication', ok: false, message: `${checks.reason} Try again in a moment.` }];
    },

    verifyWebhook: async (access, ...delivery) => {
      if (options.verification === 'computes') return adapter.verifyWebhook(access, ...delivery);
      const { apiMode, connectionId } = access;
      const verify = () => adapter.verifyWebhook(access, ...delivery);
      const verdict = await verifications[apiMode].pass(connectionId, verify);
      return verdict instanceof TurnedAway ? 'unavailable' : verdict;
    },

    fetchSubscription: (access, reference) => ask(access, () => adapter.fetchSubscription(access, reference)),
    fetchPayment: (access, kind, reference) =>
      ask(access, () => adapter.fetchPayment(access, kind, reference)),
    fetchRefund: (access, reference) => ask(access, () => adapter.fetchRefund(access, reference)),
    createCheckout: (access, request) => ask(access, () => adapter.createCheckout(access, request)),
    fetchCheckout: (access, reference) => ask(access, () => adapter.fetchCheckout(access, reference)),
    expireCheckout: (access, ...what) => ask(access, () => adapter.expireCheckout(access, ...what)),
    captureCheckout: (access, ...what) => ask(access, () => adapter.captureCheckout(access, ...what)),
    changeSubscription: (access, request) => ask(access, () => adapter.changeSubscription(access, request)),
    cancelSubscription: (access, request) => ask(access, () => adapter.cancelSubscription(access, request)),
    reactivateSubscription: (access, request) =>
      ask(access, () => adapter.reactivateSubscription(access, request)),
    refundPayment: (access, request) => ask(access, () => adapter.refundPayment(access, request)),
    listSettlements: (access, range) => ask(access, () => adapter.listSettlements(access, range)),
    ...(fetchSettlement && {
      fetchSettlement: (access: ConnectionAccess, reference: string) =>
        ask(access, () => fetchSettlement(access, reference)),
    }),
    ...(dedupeKeyNow && {
      dedupeKeyNow: (access: ConnectionAccess, event: CanonicalEvent) =>
        ask(access, () => dedupeKeyNow(access, event)),
    }),
    ...(fetchRefundsOf && {
      fetchRefundsOf: (access: ConnectionAccess, reference: string) =>
        ask(access, () => fetchRefundsOf(access, reference)),
    }),
  };
}
