import type { ConnectionRef } from '../connections/connection-ref';
import { openForVerification, type ConnectionOpening } from '../connections/open-connection';
import type { Database, DbTransaction } from '../db/pools';
import { setContext } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import { groupBy } from '../domain/group-by';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionAccess } from '../providers/connection-access';
import type { RateLimitedLog } from '../telemetry/rate-limited-log';
import { createBatch } from '../db/batch';
import {
  findNamedConnections,
  type Host,
  findAccountConnections,
  findReferredConnections,
  findVerifyingConnections,
  type LookupLimit,
} from './connection-lookup-store';
import type { PaymentProvider } from '../domain/provider';

/** A connection that a webhook may be for, opened for verification; `access` is null if it could not be opened. */
export interface Candidate {
  connection: ConnectionRef;
  access: ConnectionAccess | null;
}

/** The connections that a webhook may be for, and how they were found. */
export interface Found {
  by: 'name' | 'reference' | 'trial';
  candidates: readonly Candidate[];
}

export interface Candidates {
  /** Returns the connection that the address names, even if incomplete; none if it is disabled. */
  named(host: Host, connectionId: string): Promise<Found>;
  /** Returns enabled and complete connections that the webhook may be for. */
  hinted(host: Host, hints: Hints): Promise<Found>;
}

/** The pause between look-ups under load; a look-up without a named connection opens more connections. */
const PAUSE_MS = { named: 20, hinted: 50 };
const MAX_AT_ONCE = 500;

/**
 * Looks up the connections of all webhooks that arrive at about the same time in one transaction. Each webhook waits
 * for a look-up that begins after its arrival, so that none is refused by an outdated result, and a flood costs no more
 * look-ups than a few webhooks. Secrets stay in memory only for the webhooks of their look-up.
 */
export function createCandidates(
  options: ConnectionOpening & { database: Database; limitedLog: RateLimitedLog },
): Candidates {
  const { database } = options;
  const named = createBatch(
    { pauseMs: PAUSE_MS.named, most: MAX_AT_ONCE },
    (wanted: readonly (Host & { connectionId: string })[]) =>
      database.transaction(async (trx) => {
        const opening = createOpening(trx, options);
        const found: Found[] = [];
        for (const ref of await findNamedConnections(trx, wanted)) {
          found.push({ by: 'name', candidates: ref === undefined ? [] : [await opening(ref)] });
        }
        return found;
      }),
  );
  const hinted = createBatch(
    { pauseMs: PAUSE_MS.hinted, most: MAX_AT_ONCE },
    (wanted: readonly { host: Host; hints: Hints }[]) =>
      database.transaction(async (trx) => {
        const opening = createOpening(trx, options);
        const found = new Map<unknown, Found>();
        for (const group of groupBy(wanted, keyOf).values()) {
          const [first] = group;
          if (first === undefined) continue;
          const all = await findCandidates(
            trx,
            first.host,
            group.map(({ hints }) => hints),
          );
          for (const [index, { by, connections }] of all.entries()) {
            const candidates: Candidate[] = [];
            for (const connection of connections) candidates.push(await opening(connection));
            found.set(group[index], { by, candidates });
          }
        }
        return wanted.map((one): Found => found.get(one) ?? { by: 'trial', candidates: [] });
      }),
  );
  return {
    named: (host, connectionId) => named.add({ ...host, connectionId }),
    hinted: (host, hints) => hinted.add({ host, hints }),
  };
}

function keyOf({ host }: { host: Host }): string {
  return `${host.environment} ${host.provider}`;
}

/** Opens each connection once per look-up. */
function createOpening(
  trx: DbTransaction,
  options: ConnectionOpening & { limitedLog: RateLimitedLog },
): (connection: ConnectionRef) => Promise<Candidate> {
  const opened = new Map<string, Candidate>();
  return async (connection) => {
    const before = opened.get(connection.id);
    if (before !== undefined) return before;
    const candidate = { connection, access: await open(trx, options, connection) };
    opened.set(connection.id, candidate);
    return candidate;
  };
}

async function open(
  trx: DbTransaction,
  options: ConnectionOpening & { limitedLog: RateLimitedLog },
  { scope, id }: ConnectionRef,
): Promise<ConnectionAccess | null> {
  await setContext(trx, scope.workspaceId, scope.environment, 'SYSTEM');
  try {
    return await openForVerification(trx, options, scope, id);
  } catch (error) {
    // A database error concerns the whole look-up; unreadable credentials concern one connection.
    if (!isTollgateError(error)) throw error;
    options.limitedLog.warn(
      `open ${id}`,
      { err: error, connectionId: id },
      'a webhook could not be verified',
    );
    return null;
  }
}

/** Unverified hints from a webhook that names no connection. */
export interface Hints {
  references: CanonicalEvent['references'];
  /** The account at the provider. */
  account: string | null;
}

/** The connections that a webhook may be for, and whether its references name them. */
interface Hinted {
  by: 'reference' | 'trial';
  connections: readonly ConnectionRef[];
}

/** How many connections are tried for a webhook that names none. For B each trial is a call to the provider. */
const MAX_TRIALS: Record<PaymentProvider, LookupLimit> = {
  provider_a: { all: 10, ofWorkspace: 2 },
  provider_b: { all: 2, ofWorkspace: 1 },
  provider_c: { all: 10, ofWorkspace: 2 },
};

/**
 * Returns the connections that webhooks of one host and provider may be for: those that own their references;
 * otherwise, up to a limit, those of the account they name, followed by any others. The number of statements does not
 * depend on the number of webhooks.
 *
 * @returns in the order of the webhooks
 */
async function findCandidates(trx: DbTransaction, host: Host, webhooks: readonly Hints[]): Promise<Hinted[]> {
  const limit = MAX_TRIALS[host.provider];
  const referred = await findReferredConnections(
    trx,
    host,
    webhooks.map(({ references }) => references),
    limit,
  );
  const tried = webhooks.filter((_, index) => referred[index]?.length === 0);
  const accounts = new Set(tried.flatMap(({ account }) => (account === null ? [] : [account])));
  const ofAccounts = await findAccountConnections(trx, host, [...accounts], limit);
  const any = tried.length === 0 ? [] : await findVerifyingConnections(trx, host, limit);
  return webhooks.map(({ account }, index): Hinted => {
    const connections = referred[index] ?? [];
    if (connections.length > 0) return { by: 'reference', connections };
    // Any workspace can put another's account into its settings, so it only affects the order.
    const first = (account === null ? undefined : ofAccounts.get(account)) ?? [];
    const rest = any.filter(({ id }) => !first.some((known) => known.id === id));
    return { by: 'trial', connections: [...first, ...rest].slice(0, limit.all) };
  });
}
