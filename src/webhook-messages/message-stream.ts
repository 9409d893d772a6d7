import { findLiveKeys } from '../api-keys/api-key-store';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { readHorizon } from '../events/event-stream-store';
import {
  createStreamHub,
  type StreamHub,
  type StreamHubOptions,
  type StreamSource,
} from '../events/stream-hub';
import { before, isForeign, type StreamPosition } from '../events/stream-position';
import type { WorkspaceScope } from '../tenancy/actor';
import { readMessagesOfStream } from './message-store';
import type { RenderMessage } from './render-message';

/** Stream of a sandbox's messages, for a developer's machine. */
export interface MessageStream {
  hub: StreamHub<unknown>;
  /** Whether the key is still valid. */
  isLive: (scope: WorkspaceScope, apiKeyId: string) => Promise<boolean>;
}

/**
 * Maximum number of open streams. A developer has a terminal or two; more than that is a program that does not close
 * its streams.
 */
const BOUNDS = { process: 100, workspace: 20, caller: 5 };
/** Messages per read, each up to 256 KiB. A reader that does not consume is handed only one such batch. */
const BATCH = 20;

export function createMessageStream(
  options: Omit<StreamHubOptions, 'bounds'> & { render: RenderMessage },
): MessageStream {
  const { database, clock } = options;
  return {
    hub: createStreamHub({
      batch: BATCH,
      // A receiver gets each message that it has missed, however many there are.
      catchUpLimit: Number.POSITIVE_INFINITY,
      ...options,
      bounds: BOUNDS,
      source: sourceOf(options),
    }),
    isLive: (scope, id) => isLive(database, clock, scope, id),
  };
}

async function isLive(database: Database, clock: Clock, scope: WorkspaceScope, id: string): Promise<boolean> {
  const live = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
    findLiveKeys(trx, scope, [id], clock.now()),
  );
  return live.has(id);
}

function sourceOf({
  database,
  render,
}: {
  database: Database;
  render: RenderMessage;
}): StreamSource<unknown> {
  return {
    ended: 'key_ended',
    findStart: async (_scope, after) => {
      const horizon = await readHorizon(database);
      if (after === null) return { position: before(horizon), gap: false };
      return isForeign(after, horizon)
        ? { position: before(horizon), gap: true }
        : { position: after, gap: false };
    },
    read: async (scope, { openedBy, now, ...range }) => {
      const { rows, allowed } = await inWorkspace(database, scope, 'SYSTEM', async (trx) => ({
        rows: await readMessagesOfStream(trx, scope, range),
        allowed: await findLiveKeys(trx, scope, openedBy, now),
      }));
      const rendered: { message: unknown; position: StreamPosition }[] = [];
      for (const { payload, ...position } of rows) {
        const text = payload ?? (await render(scope, position.sequence));
        rendered.push({ message: JSON.parse(text) as unknown, position });
      }
      return { rows: rendered, allowed };
    },
  };
}

const ID = /^(\d{1,19})\.(0|msg_[0-9a-z]{26})$/;
const LARGEST = 2n ** 63n - 1n;

/**
 * Parses the position in a `Last-Event-ID` header or in `after`.
 *
 * @throws TollgateError validation_failed: an id of another form was never sent by this stream
 */
export function messagePositionOf(id: string): StreamPosition {
  const [, transactionId, sequence] = ID.exec(id) ?? [];
  if (transactionId !== undefined && sequence !== undefined && BigInt(transactionId) <= LARGEST)
    return { transactionId, sequence };
  throw new TollgateError('validation_failed', 'This is not an id of this stream.', {
    errors: [
      {
        pointer: '/after',
        message: 'is not <transaction>.<message>',
        fix: 'Send the id of the last message as it was received, or leave it out.',
      },
    ],
  });
}
