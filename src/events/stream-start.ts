import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { hasMissedRows, readHorizon } from './event-stream-store';
import { before, isForeign, type StreamPosition } from './stream-position';

/** Where a stream starts, determined before it opens. */
export interface StreamStart {
  position: StreamPosition;
  /** The resumed position is too old: the events in between are not sent. */
  gap: boolean;
}

/**
 * Finds where a stream starts, in a transaction that ends before the stream opens.
 *
 * @param after the client's last position; null for new events only
 * @param since older rows are not sent again
 */
export async function findStreamStart(
  database: Database,
  scope: WorkspaceScope,
  after: StreamPosition | null,
  since: Instant,
): Promise<StreamStart> {
  const horizon = await readHorizon(database);
  if (after === null) return { position: before(horizon), gap: false };
  const missed =
    isForeign(after, horizon) ||
    (await inWorkspace(database, scope, 'OPERATOR', (trx) => hasMissedRows(trx, scope, after, since)));
  return missed ? { position: before(horizon), gap: true } : { position: after, gap: false };
}
