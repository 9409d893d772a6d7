import type { Clock } from '../clock/system-clock';
import { openConnection, type ConnectionOpening } from '../connections/open-connection';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import type { PaymentProvider } from '../domain/provider';
import type { ProviderAdapter } from '../providers/provider-adapter';
import { TokenBuckets } from '../rate-limits/token-buckets';
import type { SubscriptionRow } from '../subscriptions/subscription-store';
import type { Actor } from '../tenancy/actor';

/** How often a provider is queried for one subscription, whatever its customer does. */
const ASKING = { aSecond: 1 / 10, burst: 6 };

/** Accepted address; a simulator's is http on loopback. */
const ADDRESS = /^https?:\/\/[^\s]+$/;

/**
 * Returns where an overdue subscription is paid at its provider. Null if its provider has no such page (B and C collect
 * automatically), does not answer, or was queried too often.
 */
export type FindPayLink = (actor: Actor, row: SubscriptionRow) => Promise<string | null>;

export function createFindPayLink(
  options: ConnectionOpening & {
    database: Database;
    clock: Clock;
    providerAdapters: Partial<Record<PaymentProvider, ProviderAdapter>>;
  },
): FindPayLink {
  const { database, clock, providerAdapters } = options;
  const asking = new TokenBuckets(ASKING);
  return async ({ scope, reason }, row) => {
    const { provider, connectionId, providerReference, status } = row;
    if (provider === 'internal' || status !== 'past_due') return null;
    const adapter = providerAdapters[provider];
    if (adapter?.fetchPaymentPage === undefined || connectionId === null || providerReference === null)
      return null;
    if (asking.take(row.id, 1, clock.now()) > 0) return null;
    try {
      const { access } = await inWorkspace(database, scope, reason, (trx) =>
        openConnection(trx, options, scope, connectionId),
      );
      const outcome = await adapter.fetchPaymentPage(access, providerReference);
      return outcome.kind === 'done' && outcome.value !== null && ADDRESS.test(outcome.value)
        ? outcome.value
        : null;
    } catch (error) {
      // The connection is disabled, or its secrets cannot be opened, which an operator must fix.
      if (isTollgateError(error)) return null;
      throw error;
    }
  };
}
