import type { Instant } from '../domain/instant';
import type { CanonicalEvent } from './canonical-event';
import type { ConnectionAccess } from './connection-access';
import { ConnectionLines, TurnedAway, type ConnectionBounds } from './connection-line';
import type { Outcome } from './outcome';
import type { ProviderAdapter } from './provider-adapter';

/** The providers' own limits are higher; more than one process may ask for a connection. */
const BOUNDS: Record<ConnectionAccess['apiMode'], ConnectionBounds> = {
  sandbox: { atOnce: 8, waiting: 100, aSecond: 25, longestWaitMs: 10_000 },
  live: { atOnce: 8, waiting: 100, aSecond: 50, longestWaitMs: 10_000 },
};

interface LimitOptions {
  /** Whether the provider is asked for a verification; one that is only computed waits for nothing. */
  verification: 'asks' | 'computes';
  /** Real time. */
  now: () => Instant;
  bounds?: Readonly<Record<ConnectionAccess['apiMode'], ConnectionBounds>>;
}

/**
 * The same adapter, with the calls of each connection bounded: one workspace's month end holds up nobody else's.
 * A call that was not made is `unknown`, a verification `unavailable`, which fails closed. Verifications, which
 * strangers can cause, have bounds of their own and take nothing from what the service itself asks.
 */
export function limitConnections(adapter: ProviderAdapter, options: LimitOptions): ProviderAdapter {
  const { now, bounds = BOUNDS } = options;
  const linesOf = (): Record<ConnectionAccess['apiMode'], ConnectionLines> => ({
    sandbox: new ConnectionLines(bounds.sandbox, now),
    live: new ConnectionLines(bounds.live, now),
  });
  const [calls, verifications] = [linesOf(), linesOf()];

  const ask = async <T>(
    { apiMode, connectionId }: ConnectionAccess,
    call: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    const outcome = await calls[apiMode].pass(connectionId, call);
    return outcome instanceof TurnedAway ? { kind: 'unknown', reason: outcome.reason } : outcome;
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
