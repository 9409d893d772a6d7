import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { toStreamId, type StreamPosition } from './stream-position';

/** Why a stream ends. `shutdown` asks the client to reconnect; the others do not. */
export type StreamEnd = 'session_ended' | 'key_ended' | 'shutdown' | 'too_slow';

/** The connection that receives a listener's events. */
export interface EventSink<Message> {
  /** Bytes handed over that the reader has not consumed yet. */
  buffered(): number;
  event(event: Message, position: StreamPosition): void;
  /** Reports that events were skipped: the reader should read the list, and then continue from `position`. */
  gap(position: StreamPosition): void;
  end(reason: StreamEnd): void;
}

/** What a stream was opened with, and how to check that it is still valid. */
export interface StreamAuthorization {
  /** Id of a session or a key. */
  openedBy: string;
  /** Whether the session and membership that opened the stream, or the key, are still valid. */
  isAllowed: () => Promise<boolean>;
}

/** One open stream, as kept by the hub. */
export interface EventListener<Message = unknown> {
  scope: WorkspaceScope;
  sink: EventSink<Message>;
  authorization: StreamAuthorization;
  /** Everything up to this position was handed to the sink. */
  position: StreamPosition;
  /** Rows handed over since the listener was last up to date. */
  behind: number;
  /** Real time since when the reader has consumed nothing; null while it keeps up. */
  stalledSince: Instant | null;
  allowedAt: Instant;
}

/**
 * Maximum number of unread bytes per reader. Above it, a slow reader gets nothing more until it catches up, which
 * bounds memory.
 */
const BUFFER_BOUND = 64 * 1024;
/** A reader that consumes nothing for this long is disconnected. It can resume from its last id. */
const STALL_MS = 30_000;

/** Records whether the reader keeps up: `ready` for more, `waiting`, or `stalled` for too long. */
export function pace(
  listener: Pick<EventListener<never>, 'sink' | 'stalledSince'>,
  now: Instant,
): 'ready' | 'waiting' | 'stalled' {
  if (listener.sink.buffered() <= BUFFER_BOUND) {
    listener.stalledSince = null;
    return 'ready';
  }
  // A clock that was set back must not extend the wait.
  listener.stalledSince = Math.min(listener.stalledSince ?? now, now);
  return now - listener.stalledSince >= STALL_MS ? 'stalled' : 'waiting';
}

/** Groups the listeners that one read can serve: those of the same workspace at the same position. */
export function groupsOf<Message>(
  listeners: readonly EventListener<Message>[],
): Iterable<EventListener<Message>[]> {
  const groups = new Map<string, EventListener<Message>[]>();
  for (const listener of listeners) {
    const { scope, position } = listener;
    const key = `${scope.workspaceId}|${scope.environment}|${toStreamId(position)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [listener]);
    else group.push(listener);
  }
  return groups.values();
}

/** Creates a listener for a stream that has just opened, with the authorization that opened it. */
export function newListener<Message>(
  scope: WorkspaceScope,
  position: StreamPosition,
  sink: EventSink<Message>,
  right: StreamAuthorization,
  now: Instant,
): EventListener<Message> {
  return { scope, sink, authorization: right, position, behind: 0, stalledSince: null, allowedAt: now };
}
