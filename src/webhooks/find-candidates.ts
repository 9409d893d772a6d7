import type { DbTransaction } from '../db/pools';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionRef, WebhookProvider } from '../connections/connection-ref';
import {
  findAccountConnections,
  findReferredConnections,
  findVerifyingConnections,
  type Host,
  type LookupLimit,
} from './connection-lookup-store';

/** Unverified hints of a webhook that names no connection. */
export interface Hints {
  references: CanonicalEvent['references'];
  /** The account at the provider. */
  account: string | null;
}

/** The connections that a webhook may be for, and whether its references name them. */
export interface Hinted {
  by: 'reference' | 'trial';
  connections: readonly ConnectionRef[];
}

/** How many connections are tried for one webhook that names none. For B each trial is a call to the provider. */
const MOST_TRIALS: Record<WebhookProvider, LookupLimit> = {
  provider_a: { all: 10, ofWorkspace: 2 },
  provider_b: { all: 2, ofWorkspace: 1 },
  provider_c: { all: 10, ofWorkspace: 2 },
};

/**
 * The connections that webhooks of one host and provider may be for: those that their references belong to; otherwise,
 * up to a limit, those of the account that they name and then any. The number of statements does not depend on the
 * number of webhooks.
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
    // Any workspace can put another's account into its settings, so it only comes first.
    const first = (account === null ? undefined : ofAccounts.get(account)) ?? [];
    const rest = any.filter(({ id }) => !first.some((known) => known.id === id));
    return { by: 'trial', connections: [...first, ...rest].slice(0, most.all) };
  });
}
