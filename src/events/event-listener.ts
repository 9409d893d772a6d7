import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { toStreamId, type StreamPosition } from './stream-position';

/** Why a stream ends. `shutdown` asks the client to come back; the others do not. */
export type StreamEnd = 'session_ended' | 'key_ended' | 'shutdown' | 'too_slow';

/** The connection that a listener's events go to. */
export interface EventSink<Message> {
  /** Bytes that were handed over and that the reader has not taken yet. */
  buffered(): number;
  event(event: Message, position: StreamPosition): void;
  /** Events were left out: the reader should read the list, and then listen on from `position`. */
  gap(position: StreamPosition): void;
  end(reason: StreamEnd): void;
}

/** What a stream was opened by, and how to ask whether it still stands. */
export interface StreamAuthorization {
  /** The id of a session, or of a key. */
  openedBy: string;
  /** Whether the session and the membership that opened the stream, or the key, still stand. */
  isAllowed: () => Promise<boolean>;
}

/** One open stream, as the hub keeps it. */
export interface EventListener<Message = unknown> {
  scope: WorkspaceScope;
  sink: EventSink<Message>;
  authorization: StreamAuthorization;
  /** Everything up to here was handed to the sink. */
  position: StreamPosition;
  /** Rows handed over since the listener was last up to date. */
  behind: number;
  /** Real time since when the reader has taken nothing; null while it keeps up. */
  stalledSince: Instant | null;
  allowedAt: Instant;
}

/** Beyond this a reader gets nothing more until it has taken what it was given: bounded memory for a slow one. */
const BUFFER_BOUND = 64 * 1024;
/** A reader that takes nothing for this long is disconnected; it resumes by its last id. */
const STALL_MS = 30_000;

/** Notes whether the reader keeps up: `ready` for more, `waiting`, or `stalled` for too long. */
export function pace(
  listener: Pick<EventListener<never>, 'sink' | 'stalledSince'>,
  now: Instant,
): 'ready' | 'waiting' | 'stalled' {
  if (listener.sink.buffered() <= BUFFER_BOUND) {
    listener.stalledSince = null;
    return 'ready';
  }
  // A clock that was set back must not stretch the wait.
  listener.stalledSince = Math.min(listener.stalledSince ?? now, now);
  return now - listener.stalledSince >= STALL_MS ? 'stalled' : 'waiting';
}

/** The listeners that one read serves: those of one workspace at one position. */
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

/** A stream that has just opened, with the right to be open that it was opened by. */
export function newListener<Message>(
  scope: WorkspaceScope,
  position: StreamPosition,
  sink: EventSink<Message>,
  right: StreamAuthorization,
  now: Instant,
): EventListener<Message> {
  return { scope, sink, authorization: right, position, behind: 0, stalledSince: null, allowedAt: now };
}
