import { z } from 'zod';
import type { Clock } from '../clock/system-clock';
import { openConnection, type ConnectionOpening } from '../connections/open-connection';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import type { ProviderAdapter, ProviderAdapters } from '../providers/provider-adapter';
import { TokenBuckets } from '../rate-limits/token-buckets';
import type { SubscriptionRow } from '../subscriptions/subscription-store';
import type { Actor } from '../tenancy/actor';

/** How often a provider is queried for one subscription, whatever its customer does. */
const ASKING = { aSecond: 1 / 10, burst: 6 };

/** Accepted address; a simulator's is http on loopback. */
const ADDRESS = /^https?:\/\/[^\s]+$/;

/** Where an overdue subscription is paid at its provider. */
export const payLinkSchema = z.object({
  url: z.string().nullable().meta({
    description: 'Null if there is no such page, the provider does not answer, or it was asked too often.',
  }),
  mayExist: z
    .boolean()
    .meta({ description: 'Whether its provider has such pages at all. B and C have none.' }),
});
export type PayLink = z.output<typeof payLinkSchema>;

/** Looks for the page where an overdue subscription is paid at its provider. */
export type FindPayLink = (actor: Actor, row: SubscriptionRow) => Promise<PayLink>;

export function createFindPayLink(
  options: ConnectionOpening & {
    database: Database;
    clock: Clock;
    providerAdapters: ProviderAdapters;
  },
): FindPayLink {
  const { database, clock, providerAdapters } = options;
  const asking = new TokenBuckets(ASKING);

  async function find({ scope, reason }: Actor, row: SubscriptionRow, adapter: AdapterWithPages) {
    const { connectionId, providerReference, status } = row;
    if (status !== 'past_due' || connectionId === null || providerReference === null) return null;
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
  }

  return async (actor, row) => {
    const adapter = row.provider === 'internal' ? undefined : providerAdapters[row.provider];
    return hasPages(adapter)
      ? { url: await find(actor, row, adapter), mayExist: true }
      : { url: null, mayExist: false };
  };
}

type AdapterWithPages = ProviderAdapter & Required<Pick<ProviderAdapter, 'fetchPaymentPage'>>;

function hasPages(adapter: ProviderAdapter | undefined): adapter is AdapterWithPages {
  return adapter?.fetchPaymentPage !== undefined;
}
