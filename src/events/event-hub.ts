import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { toDeveloperEvent, type DeveloperEvent } from './developer-event-resource';
import { findAllowedSessions, readStream, RESUME_WINDOW_MS } from './event-stream-store';
import { createStreamHub, type StreamHub, type StreamHubOptions, type StreamSource } from './stream-hub';
import { findStreamStart } from './stream-start';

/** Hub of the console's stream of developer events. */
export type EventHub = StreamHub<DeveloperEvent>;

export function createEventHub(options: StreamHubOptions): EventHub {
  return createStreamHub({ ...options, source: developerEventSource(options.database) });
}

function developerEventSource(database: Database): StreamSource<DeveloperEvent> {
  return {
    ended: 'session_ended',
    findStart: (scope, after, now) => findStreamStart(database, scope, after, now - RESUME_WINDOW_MS),
    read: (scope, { after, horizon, limit, openedBy, now }) =>
      inWorkspace(database, scope, 'OPERATOR', async (trx) => {
        const since = now - RESUME_WINDOW_MS;
        const rows = await readStream(trx, scope, { after, horizon, since, limit });
        return {
          rows: rows.map(({ position, ...row }) => ({ message: toDeveloperEvent(row), position })),
          // Read after the rows, so that a member removed before one of them was written gets none of them.
          allowed: await findAllowedSessions(trx, scope.workspaceId, openedBy, now),
        };
      }),
  };
}
