import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DeveloperEvent } from '../../api/resources';
import { sessionQuery } from '../../api/session';
import { useWorkspace } from '../../app/workspace';
import { afterPress } from '../../../../portal/src/after-press.ts';

export type StreamState = 'connecting' | 'live' | 'reconnecting';

interface EventStream {
  state: StreamState;
  /** Events since the stream was opened, newest first. */
  events: DeveloperEvent[];
  /** Increases when events were skipped or dropped, so that the list must be read again. */
  gaps: number;
}

/** Maximum number of events kept from the stream. Older ones are in the list. */
const KEPT = 2_000;
/** Events within this time are shown together. */
const FLUSH_MS = 100;
const RETRY_MS = 2_000;
/** Longest silence. The service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 50_000;
/** How long the list waits for the first stream, which a proxy may hold back. */
const FIRST_MS = 5_000;

/**
 * Streams the workspace's live events. The browser reconnects automatically and resumes by `Last-Event-ID`. If it gives
 * up (after an answer that is not a stream), or if nothing is received because the connection is dead without the
 * browser's knowledge, the stream is opened again, and the gap is filled from the list. While the page is hidden, it is
 * closed: a browser has six connections to a host of HTTP/1.1, and six such pages would leave none for any request.
 */
export function useEventStream(): EventStream {
  const { organizationId, env } = useWorkspace();
  const queries = useQueryClient();
  const [state, setState] = useState<StreamState>('connecting');
  const [events, setEvents] = useState<DeveloperEvent[]>([]);
  const [gaps, setGaps] = useState(0);
  const waiting = useRef<DeveloperEvent[]>([]);
  const kept = useRef<DeveloperEvent[]>([]);

  useEffect(() => {
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let flush: ReturnType<typeof setTimeout> | undefined;
    let silence: ReturnType<typeof setTimeout> | undefined;
    let slow: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    // An earlier version of the service sends no heartbeat that a page sees.
    let hasHeartbeats = false;
    const show = () => {
      flush = undefined;
      const fresh = waiting.current.splice(0).toReversed();
      const known = new Set(kept.current.map(({ id }) => id));
      const all = [...fresh.filter(({ id }) => !known.has(id)), ...kept.current];
      kept.current = all.length > KEPT ? all.slice(0, KEPT / 2) : all;
      setEvents(kept.current);
      if (kept.current === all) return;
      // Dropped events are in no page of the list that was read before.
      setGaps((count) => count + 1);
    };
    const hear = () => {
      clearTimeout(silence);
      if (hasHeartbeats) silence = setTimeout(reopen, SILENCE_MS);
    };
    const open = () => {
      const query = new URLSearchParams({ organizationId, env }).toString();
      source = new EventSource(`/api/developer-events/stream?${query}`);
      // The browser may send its request through a connection that is dead.
      silence = setTimeout(reopen, SILENCE_MS);
      if (isFirst) slow = setTimeout(lose, FIRST_MS);
      source.onopen = () => {
        clearTimeout(slow);
        hear();
        setState('live');
        // It does not continue the previous one, or the list was read before it was open.
        if (!isFirst) setGaps((count) => count + 1);
        isFirst = false;
      };
      source.addEventListener('heartbeat', () => {
        hasHeartbeats = true;
        hear();
      });
      source.onmessage = ({ data }: MessageEvent<string>) => {
        if (data === '') return;
        hear();
        waiting.current.push(JSON.parse(data) as DeveloperEvent);
        flush ??= setTimeout(() => afterPress(show), FLUSH_MS);
      };
      source.addEventListener('gap', () => setGaps((count) => count + 1));
      source.onerror = () => {
        lose();
        if (source?.readyState !== EventSource.CLOSED) return;
        clearTimeout(silence);
        // The session may have ended, which leads to the sign-in.
        void queries.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
        retry = setTimeout(open, RETRY_MS);
      };
    };
    const lose = () => {
      clearTimeout(slow);
      isFirst = false;
      setState('reconnecting');
    };
    const close = () => {
      source?.close();
      for (const timer of [silence, retry, slow]) clearTimeout(timer);
    };
    const reopen = () => {
      close();
      lose();
      open();
    };
    const follow = () => {
      if (document.visibilityState === 'hidden') close();
      else if (source === undefined) open();
      else reopen();
    };
    if (document.visibilityState !== 'hidden') open();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
      clearTimeout(flush);
      waiting.current = [];
      kept.current = [];
      setEvents([]);
      setState('connecting');
    };
  }, [organizationId, env, queries]);

  return { state, events, gaps };
}
