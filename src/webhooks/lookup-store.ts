import { textArray } from '../db/array-literal';
import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionRef, WebhookProvider } from './connection-ref';

/** Where a webhook came in; connections of the other environment are never looked at. */
interface Host {
  environment: Environment;
  provider: WebhookProvider;
}

interface FoundRow {
  workspaceId: string;
  id: string;
}

const FOUND = 'workspace_id AS "workspaceId", id';

/** The connection of this id, if it is enabled and of this provider and environment. */
export async function findNamedConnection(
  database: Database,
  host: Host,
  connectionId: string,
): Promise<ConnectionRef[]> {
  return found(database, host, `SELECT ${FOUND} FROM tollgate.find_connection(?, ?, ?)`, [
    connectionId,
    host.environment,
    host.provider,
  ]);
}

/** The connections that any of these references belongs to, at most so many. */
export async function findConnectionsOfReferences(
  database: Database,
  host: Host,
  references: CanonicalEvent['references'],
  most: number,
): Promise<ConnectionRef[]> {
  if (references.length === 0) return [];
  return found(
    database,
    host,
    `SELECT ${FOUND} FROM tollgate.find_connections_of_references(?, ?, ?::text[], ?::text[], ?)`,
    [
      host.environment,
      host.provider,
      textArray(references.map(({ kind }) => kind)),
      textArray(references.map(({ reference }) => reference)),
      most,
    ],
  );
}

/** The enabled connections of a provider and environment, the oldest first, at most so many. */
export async function findCandidateConnections(
  database: Database,
  host: Host,
  most: number,
): Promise<ConnectionRef[]> {
  return found(database, host, `SELECT ${FOUND} FROM tollgate.find_connection_candidates(?, ?, ?)`, [
    host.environment,
    host.provider,
    most,
  ]);
}

async function found(
  database: Database,
  { environment, provider }: Host,
  sql: string,
  bindings: readonly (string | number)[],
): Promise<ConnectionRef[]> {
  const { rows } = await database.raw<{ rows: FoundRow[] }>(sql, bindings);
  return rows.map(({ workspaceId, id }) => ({ scope: { workspaceId, environment }, id, provider }));
}
