import type { DbTransaction } from '../db/pools';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionRef, WebhookProvider } from '../connections/connection-ref';
import {
  findAccountConnections,
  findReferredConnections,
  findVerifyingConnections,
  type Host,
  type Most,
} from './lookup-store';

/** What a webhook that names no connection says of whose it may be; nothing of it is believed. */
export interface Hints {
  references: CanonicalEvent['references'];
  /** The account at the provider. */
  account: string | null;
}

/** Whose a webhook may be, and whether its references say so. */
export interface Hinted {
  by: 'reference' | 'trial';
  connections: readonly ConnectionRef[];
}

/** How many connections may be tried for one webhook that names none. B is asked over the network for each. */
const MOST_TRIALS: Record<WebhookProvider, Most> = {
  provider_a: { all: 10, ofWorkspace: 2 },
  provider_b: { all: 2, ofWorkspace: 1 },
  provider_c: { all: 10, ofWorkspace: 2 },
};

/**
 * The connections that webhooks of one host and provider may be for: those that their references belong to; else, up to
 * a bound, those of the account that they name and then any. The statements are as many for one webhook as for all.
 *
 * @returns in the order of the webhooks
 */
export async function findCandidates(
  trx: DbTransaction,
  host: Host,
  webhooks: readonly Hints[],
): Promise<Hinted[]> {
  const most = MOST_TRIALS[host.provider];
  const referred = await findReferredConnections(
    trx,
    host,
    webhooks.map(({ references }) => references),
    most,
  );
  const tried = webhooks.filter((_, index) => referred[index]?.length === 0);
  const accounts = new Set(tried.flatMap(({ account }) => (account === null ? [] : [account])));
  const ofAccounts = await findAccountConnections(trx, host, [...accounts], most);
  const any = tried.length === 0 ? [] : await findVerifyingConnections(trx, host, most);
  return webhooks.map(({ account }, index): Hinted => {
    const connections = referred[index] ?? [];
    if (connections.length > 0) return { by: 'reference', connections };
    // Anybody can write another's account into their settings: it comes first, and keeps nobody out.
    const first = (account === null ? undefined : ofAccounts.get(account)) ?? [];
    const rest = any.filter(({ id }) => !first.some((known) => known.id === id));
    return { by: 'trial', connections: [...first, ...rest].slice(0, most.all) };
  });
}
