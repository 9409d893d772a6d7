import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { SlotBounds, SlotHolder } from '../rate-limits/slots';
import type { WorkspaceScope } from '../tenancy/actor';
import {
  groupsOf,
  newListener,
  pace,
  type EventListener,
  type EventSink,
  type StreamEnd,
  type StreamAuthorization,
} from './event-listener';
import { readHorizon } from './event-stream-store';
import { createListenerRecheck } from './listener-recheck';
import { createStreamLimits, noStreamCapacity } from './stream-limits';
import { before, isForeign, type StreamPosition } from './stream-position';
import type { StreamStart } from './stream-start';

/** Source of a hub's messages, with the check of who may read them. */
export interface StreamSource<Message> {
  /** Finds where a stream starts, in a transaction that ends before the stream opens. */
  findStart(scope: WorkspaceScope, after: StreamPosition | null, now: Instant): Promise<StreamStart>;
  /**
   * Returns the messages after a position and below the horizon, in order, and which of the sessions or keys may
   * receive them. The latter is read after the messages.
   */
  read(scope: WorkspaceScope, range: StreamRange): Promise<StreamPart<Message>>;
  /** Reason given when a stream's session or key has ended. */
  ended: 'session_ended' | 'key_ended';
}

interface StreamRange {
  after: StreamPosition;
  /** The oldest transaction still running. */
  horizon: string;
  limit: number;
  openedBy: readonly string[];
  /** Real time. */
  now: Instant;
}

interface StreamPart<Message> {
  rows: readonly { message: Message; position: StreamPosition }[];
  allowed: ReadonlySet<string>;
}

export interface StreamHub<Message> {
  /**
   * Finds where a stream starts and closes its transaction.
   *
   * @param after the client's last position; null for new events only
   * @throws TollgateError service_busy, too_many_streams if no slot is free
   */
  start(scope: WorkspaceScope, callerId: string, after: StreamPosition | null): Promise<StreamStart>;
  /**
   * Takes a slot for a stream that is about to open. The returned function releases it when the stream has ended.
   *
   * @throws TollgateError service_busy, too_many_streams
   */
  enter(holder: SlotHolder): () => void;
  /** Adds an open stream. The returned function removes it. */
  listen(
    scope: WorkspaceScope,
    start: StreamStart,
    sink: EventSink<Message>,
    right: StreamAuthorization,
  ): () => void;
  /** Ends every stream, asking clients to reconnect, and stops reading. */
  stop(): Promise<void>;
}

export interface StreamHubOptions {
  database: Database;
  clock: Clock;
  log: Logger;
  /** Milliseconds between reads. */
  pollEvery?: number;
  /** Rows per read. */
  batch?: number;
  /** Maximum number of missed rows sent. Above it, the client is asked to read the list instead. */
  catchUpLimit?: number;
  /** Maximum number of open streams; overrides the default bounds. */
  bounds?: Partial<SlotBounds>;
}

/**
 * Creates the single reader of a process for all its streams. It polls, a few times a second, the workspaces that have
 * a listener. Listeners hold no database connection.
 */
export function createStreamHub<Message>(
  options: StreamHubOptions & { source: StreamSource<Message> },
): StreamHub<Message> {
  const {
    database,
    source,
    clock,
    log,
    pollEvery = 250,
    batch = 500,
    catchUpLimit = 10_000,
    bounds,
  } = options;
  const limits = createStreamLimits(bounds);
  const listeners = new Set<EventListener<Message>>();
  let timer: NodeJS.Timeout | null = null;
  let reading: Promise<void> = Promise.resolve();
  let stopped = false;
  let failing = false;

  const recheck = createListenerRecheck({
    listeners,
    clock,
    end: (listener) => {
      end(listener, source.ended);
    },
  });

  function remove(listener: EventListener<Message>): boolean {
    const removed = listeners.delete(listener);
    if (listeners.size === 0) recheck.stop();
    return removed;
  }

  function end(listener: EventListener<Message>, reason: StreamEnd): void {
    if (remove(listener)) listener.sink.end(reason);
  }

  function schedule(delay: number): void {
    if (timer !== null || stopped || listeners.size === 0) return;
    timer = setTimeout(() => {
      reading = tick()
        .then(noteReadable, noteFailure)
        .then((more) => {
          timer = null;
          schedule(more ? 0 : pollEvery);
        });
    }, delay);
  }

  function noteReadable(more: boolean): boolean {
    if (failing) log.info('the event stream can be read again');
    failing = false;
    return more;
  }

  /** Logs one line per outage, because the next read follows a moment later. */
  function noteFailure(error: unknown): boolean {
    if (!failing) log.warn({ err: error }, 'the event stream could not be read');
    failing = true;
    return false;
  }

  /** @returns whether a workspace has more to read right away */
  async function tick(): Promise<boolean> {
    const ready = [...listeners].filter((listener) => {
      const state = pace(listener, clock.now());
      if (state === 'stalled') end(listener, 'too_slow');
      return state === 'ready';
    });
    if (ready.length === 0) return false;
    const horizon = await readHorizon(database);
    let more = false;
    let failures: unknown[] = [];
    for (const group of groupsOf(ready)) {
      // A workspace that cannot be read does not hold up the others.
      try {
        more = (await serve(group, horizon)) || more;
      } catch (error) {
        failures = [...failures, error];
      }
    }
    if (failures.length > 0) throw failures[0];
    return more;
  }

  /** Continues at the horizon, and tells the reader that it has not been sent everything until there. */
  function skipTo(horizon: string, listener: EventListener<Message>): void {
    listener.behind = 0;
    listener.position = before(horizon);
    listener.sink.gap(listener.position);
  }

  /** Makes one read for the listeners of a workspace that are at the same position. */
  async function serve(group: readonly EventListener<Message>[], horizon: string): Promise<boolean> {
    const [first] = group;
    if (first === undefined) return false;
    const { scope, position: after } = first;
    // Since a failover that lost transactions, their ids have been given to others, whose rows this position hides.
    if (isForeign(after, horizon)) {
      for (const listener of group) if (listeners.has(listener)) skipTo(horizon, listener);
      return true;
    }
    const openedBy = group.map(({ authorization }) => authorization.openedBy);
    const range = { after, horizon, limit: batch, openedBy, now: clock.now() };
    const { rows, allowed } = await source.read(scope, range);
    const complete = rows.length < batch;
    for (const listener of group) {
      if (!listeners.has(listener)) continue;
      if (!allowed.has(listener.authorization.openedBy)) {
        end(listener, source.ended);
        continue;
      }
      for (const { message, position } of rows) listener.sink.event(message, position);
      listener.position = complete ? before(horizon) : (rows.at(-1)?.position ?? after);
      listener.behind = complete ? 0 : listener.behind + rows.length;
      if (listener.behind >= catchUpLimit) skipTo(horizon, listener);
    }
    return !complete;
  }

  return {
    start: async (scope, callerId, after) => {
      if (stopped) throw noStreamCapacity();
      limits.assertFree({ workspaceId: scope.workspaceId, callerId });
      return source.findStart(scope, after, clock.now());
    },
    enter: (holder) => limits.take(holder),
    listen: (scope, start, sink, right) => {
      const listener = newListener(scope, start.position, sink, right, clock.now());
      if (stopped) {
        sink.end('shutdown');
        return () => undefined;
      }
      if (start.gap) sink.gap(start.position);
      listeners.add(listener);
      recheck.start();
      schedule(0);
      return () => {
        remove(listener);
      };
    },
    stop: async () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      for (const listener of listeners) end(listener, 'shutdown');
      await reading;
    },
  };
}
