import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readOutcome } from './api';
import { Refusal } from './refusal';
import { refusalInWords } from './strings';
import type { PortalOutcome } from './types';
import { keepWatched, readWatched } from './watched';

const EVERY_MS = 4_000;

export interface Outcomes {
  /** Why the most recently ended refused command was not carried out; null if there was none, or it was closed. */
  refusal: string | null;
  /** Waits for the outcome of a command that was answered 202. */
  watch: (operationId: string) => void;
  /** The customer has read the refusal, or does something else. */
  close: () => void;
}

/** What is found of a command. A command that does not exist for this customer is unknown. */
export type Found = PortalOutcome['state'] | 'unknown';

/**
 * Tracks commands that take longer than their request: polls while there are any and the page is visible.
 *
 * @param onFound called once when one is found under way that this page has not sent, before a reload for example; and
 *   when one has ended, so that the view is read again
 */
export function useOutcomes(onFound: (found: Found) => void): Outcomes {
  const [watched, setWatched] = useState(readWatched);
  const [refused, setRefused] = useState<{ id: string; words: string } | null>(null);
  const foundRef = useRef(onFound);
  useEffect(() => {
    foundRef.current = onFound;
  });
  /** Commands that the customer knows to be under way. */
  const knownRef = useRef(new Set<string>());
  const keep = useCallback((change: (ids: readonly string[]) => string[]): void => {
    // Read again, because another tab may have stored commands of its own since.
    setWatched(keepWatched(change(readWatched())));
  }, []);

  const refusedId = refused?.id;
  const awaited = watched.filter((id) => id !== refusedId).join(' ');
  useEffect(() => {
    if (awaited === '') return;
    let timer: number | undefined;
    let over = false;
    const look = async (): Promise<void> => {
      for (const id of awaited.split(' ')) {
        const outcome = await readOutcome(id).catch(unknownIfMissing);
        if (over) return;
        if (outcome === null) continue;
        if (outcome.state === 'under_way') {
          if (!knownRef.current.has(id)) foundRef.current('under_way');
          knownRef.current.add(id);
          continue;
        }
        if (outcome.state === 'refused') {
          // Replaces an earlier refusal.
          keep((ids) => ids.filter((one) => one !== refusedId));
          setRefused({ id, words: refusalInWords({ code: outcome.code ?? '', reason: outcome.reason }) });
        } else keep((ids) => ids.filter((one) => one !== id));
        foundRef.current(outcome.state);
      }
    };
    const again = (): void => {
      timer = window.setTimeout(() => {
        if (document.visibilityState === 'visible') void look().finally(next);
        else next();
      }, EVERY_MS);
    };
    const next = (): void => {
      if (!over) again();
    };
    void look().finally(next);
    return () => {
      over = true;
      window.clearTimeout(timer);
    };
  }, [awaited, refusedId, keep]);

  return {
    refusal: refused?.words ?? null,
    watch: (id) => {
      knownRef.current.add(id);
      keep((ids) => [...ids.filter((one) => one !== id), id]);
    },
    close: () => {
      if (refused === null) return;
      keep((ids) => ids.filter((one) => one !== refused.id));
      setRefused(null);
    },
  };
}

/** Returns null if the outcome cannot be read at the moment. A command that is missing is no longer waited for. */
function unknownIfMissing(error: unknown): { state: 'unknown' } | null {
  if (!(error instanceof Refusal)) throw error;
  return error.status === 404 ? { state: 'unknown' } : null;
}
