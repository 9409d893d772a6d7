import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSession, type Session } from 'better-sse';
import type { StreamHub } from '../events/stream-hub';
import type { StreamStart } from '../events/stream-start';
import type { EventSink, StreamAuthorization } from '../events/event-listener';
import { toStreamId } from '../events/stream-position';
import type { WorkspaceScope } from '../tenancy/actor';
import { brokenAddress } from './broken-address';

/** Shorter than the idle time-outs of common proxies. */
const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** How long a reader may take to receive the end of its stream. */
const END_MS = 10_000;

/** Turns a response into a server-sent event stream that listens at the hub until either side ends it. */
export async function openEventStream<Message>(
  hub: StreamHub<Message>,
  listener: {
    scope: WorkspaceScope;
    /** An operator, or a key. */
    callerId: string;
    start: StreamStart;
    /** Data of an initial event `start`, which carries the first id; left out, no such event is sent. */
    started?: object;
    /** Whether heartbeats are events, because a browser hides comments from its page. */
    isForBrowser?: boolean;
    authorization: StreamAuthorization;
  },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // The stream library builds the address from the Host header, which the client controls.
  if (!URL.canParse(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)) {
    throw brokenAddress();
  }
  const isGone = (): boolean => response.destroyed;
  if (isGone()) return;
  // Enters before the first await, so that streams opened concurrently count each other.
  const { workspaceId } = listener.scope;
  const leavePlace = hub.enter({ workspaceId, callerId: listener.callerId });
  response.once('close', leavePlace);
  const session = await createSession(request, response, {
    headers: { 'Cache-Control': 'no-store, no-transform' },
    // The library's own heartbeat would also write after the end of a stream whose reader takes nothing. Nobody listens
    // for that error of a response, so it would end the process.
    keepAlive: null,
    retry: RETRY_MS,
    trustClientEventId: false,
  });
  if (isGone()) return;
  const beat = listener.isForBrowser === true ? 'event:heartbeat\ndata:{}\n\n' : ':\n\n';
  const heartbeat = setInterval(() => {
    if (!response.writableEnded) response.write(beat);
  }, HEARTBEAT_MS);
  response.once('close', () => {
    clearInterval(heartbeat);
  });
  // A client that is cut off before its first event must still be able to resume from the start position.
  await session.batch((buffer) => {
    buffer.id(toStreamId(listener.start.position));
    // For clients whose readers ignore an id without an event.
    if (listener.started !== undefined) buffer.event('start').data(listener.started);
    buffer.dispatch();
  });
  const leave = hub.listen(listener.scope, listener.start, sinkOf(session, response), listener.authorization);
  response.once('close', leave);
  // The response may have closed before a listener was attached.
  if (isGone()) leave();
}

function sinkOf<Message>(session: Session, response: ServerResponse): EventSink<Message> {
  const isOpen = (): boolean => session.isConnected && !response.writableEnded;
  return {
    buffered: () => response.writableLength,
    event: (event, position) => {
      if (isOpen()) session.push(event, 'message', toStreamId(position));
    },
    gap: (position) => {
      const advice = 'Some were skipped. Read them from the list.';
      if (isOpen()) session.push({ message: advice }, 'gap', toStreamId(position));
    },
    end: (reason) => {
      // The buffer of a reader that takes nothing would otherwise be kept until it reads.
      if (reason === 'too_slow') response.destroy();
      else void endWith(session, response, reason);
    },
  };
}

/** Ends the stream. A reader that does not receive the end in time is cut off, so that it does not keep its place. */
async function endWith(session: Session, response: ServerResponse, reason: string): Promise<void> {
  if (!session.isConnected) return;
  await session.batch((buffer) => {
    buffer.retry(RETRY_MS).event('end').data({ reason }).dispatch();
  });
  response.end();
  const late = setTimeout(() => response.destroy(), END_MS);
  response.once('close', () => {
    clearTimeout(late);
  });
}
