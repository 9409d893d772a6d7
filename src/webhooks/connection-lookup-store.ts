import { plainArray, textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionRef } from '../connections/connection-ref';
import type { PaymentProvider } from '../domain/provider';

/** The host that received a webhook; connections of the other environment are never considered. */
export interface Host {
  environment: Environment;
  provider: PaymentProvider;
}

/** How many connections may be found, in total and per workspace. */
export interface LookupLimit {
  all: number;
  ofWorkspace: number;
}

interface FoundRow {
  workspaceId: string;
  id: string;
}

const FOUND = 'workspace_id AS "workspaceId", id';

/**
 * Finds the connections with these ids, each if it is enabled and belongs to its webhook's provider and environment.
 *
 * @returns in the order of the request; undefined for one not found
 */
export async function findNamedConnections(
  trx: DbTransaction,
  wanted: readonly (Host & { connectionId: string })[],
): Promise<(ConnectionRef | undefined)[]> {
  const { rows } = await trx.raw<{ rows: (FoundRow & { place: number })[] }>(
    `SELECT place, ${FOUND} FROM tollgate.find_named_connections(?::text[], ?::text[], ?::text[])`,
    [
      textArray(wanted.map(({ connectionId }) => connectionId)),
      textArray(wanted.map(({ environment }) => environment)),
      textArray(wanted.map(({ provider }) => provider)),
    ],
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return wanted.map((host, index) => {
    const row = found.get(index + 1);
    return row === undefined ? undefined : refOf(host, row);
  });
}

/**
 * Finds the enabled and complete connections that own each webhook's references.
 *
 * @param references per webhook
 * @returns in the order of the webhooks
 */
export async function findReferredConnections(
  trx: DbTransaction,
  host: Host,
  references: readonly CanonicalEvent['references'][],
  limit: LookupLimit,
): Promise<ConnectionRef[][]> {
  const found = references.map((): ConnectionRef[] => []);
  const all = references.flatMap((of, place) => of.map((named) => ({ ...named, place })));
  if (all.length === 0) return found;
  const { rows } = await trx.raw<{ rows: (FoundRow & { place: number })[] }>(
    `SELECT place, ${FOUND} FROM tollgate.find_referred_connections(?, ?, ?::integer[], ?::text[], ?::text[], ?, ?)`,
    [
      ...[host.environment, host.provider, plainArray(all.map(({ place }) => String(place)))],
      textArray(all.map(({ kind }) => kind)),
      textArray(all.map(({ reference }) => reference)),
      ...[limit.ofWorkspace, limit.all],
    ],
  );
  for (const row of rows) found[row.place]?.push(refOf(host, row));
  return found;
}

/** Finds the enabled and complete connections whose settings name one of these accounts, by account. */
export async function findAccountConnections(
  trx: DbTransaction,
  host: Host,
  accounts: readonly string[],
  limit: LookupLimit,
): Promise<Map<string, ConnectionRef[]>> {
  const found = new Map<string, ConnectionRef[]>();
  if (accounts.length === 0) return found;
  const { rows } = await trx.raw<{ rows: (FoundRow & { account: string })[] }>(
    `SELECT account, ${FOUND} FROM tollgate.find_account_connections(?, ?, ?::text[], ?, ?)`,
    [host.environment, host.provider, textArray(accounts), limit.ofWorkspace, limit.all],
  );
  for (const row of rows) {
    found.set(row.account, [...(found.get(row.account) ?? []), refOf(host, row)]);
  }
  return found;
}

/** Finds the enabled and complete connections of a provider and environment, the oldest of each workspace first. */
export async function findVerifyingConnections(
  trx: DbTransaction,
  host: Host,
  limit: LookupLimit,
): Promise<ConnectionRef[]> {
  const { rows } = await trx.raw<{ rows: FoundRow[] }>(
    `SELECT ${FOUND} FROM tollgate.find_verifying_connections(?, ?, ?, ?)`,
    [host.environment, host.provider, limit.ofWorkspace, limit.all],
  );
  return rows.map((row) => refOf(host, row));
}

function refOf({ environment, provider }: Host, { workspaceId, id }: FoundRow): ConnectionRef {
  return { scope: { workspaceId, environment }, id, provider };
}
