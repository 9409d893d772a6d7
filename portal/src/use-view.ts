import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readView } from './api';
import type { Ending } from './Closed';
import { Refusal } from './refusal';
import type { PortalView } from './types';

/** How often a visible page polls for changes. */
const EVERY_MS = 4_000;

/**
 * Keeps the view up to date: polls every few seconds while the page is visible, at once when it becomes visible, and at
 * once after a command. An unchanged view is answered without a body.
 */
export function useView(onClosed: (how: Ending) => void): {
  view: PortalView | null;
  stale: boolean;
  refresh: () => void;
  /** Stops polling and the request in flight; returns a function that starts again. */
  pause: () => () => void;
} {
  const [view, setView] = useState<PortalView | null>(null);
  const [stale, setStale] = useState(false);
  const tagRef = useRef<string | null>(null);
  const closingRef = useRef(onClosed);
  const lookRef = useRef<() => void>(() => undefined);
  const pauseRef = useRef<() => () => void>(() => () => undefined);

  useEffect(() => {
    closingRef.current = onClosed;
  });

  useEffect(() => {
    let timer: number | undefined;
    let turn = 0;
    let ended = false;
    let paused = false;
    let inFlight = new AbortController();
    const read = async (): Promise<void> => {
      window.clearTimeout(timer);
      const mine = (turn += 1);
      inFlight = new AbortController();
      try {
        const answer = await readView(tagRef.current, inFlight.signal);
        // A later request has been sent, and its answer counts.
        if (ended || mine !== turn) return;
        if (answer !== null) {
          tagRef.current = answer.tag;
          setView(answer.view);
        }
        setStale(false);
      } catch (error) {
        if (ended || mine !== turn) return;
        if (error instanceof Refusal && error.code === 'portal_session_required') {
          ended = true;
          closingRef.current('ended');
          return;
        }
        if (tagRef.current === null) {
          ended = true;
          closingRef.current('failed');
          return;
        }
        setStale(true);
      }
      timer = window.setTimeout(() => {
        if (document.visibilityState === 'visible') void read();
      }, EVERY_MS);
    };
    const seen = (): void => {
      if (document.visibilityState === 'visible' && !ended && !paused) void read();
    };
    lookRef.current = seen;
    pauseRef.current = () => {
      paused = true;
      turn += 1;
      window.clearTimeout(timer);
      inFlight.abort();
      return () => {
        paused = false;
        seen();
      };
    };
    document.addEventListener('visibilitychange', seen);
    window.addEventListener('focus', seen);
    void read();
    return () => {
      ended = true;
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
      window.removeEventListener('focus', seen);
    };
  }, []);

  const refresh = useCallback(() => lookRef.current(), []);
  const pause = useCallback(() => pauseRef.current(), []);
  return { view, stale, refresh, pause };
}
