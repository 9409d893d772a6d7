import { useEffect, useState } from 'preact/hooks';
import { previewChange } from './api';
import { Refusal } from './refusal';
import { change, refusalInWords } from './strings';
import type { PortalChangeBody, PortalPreview } from './types';

type State =
  | { state: 'none' }
  | { state: 'looking' }
  | { state: 'found'; of: string; preview: PortalPreview }
  | { state: 'refused'; words: string };

/** Long enough to type a number. */
const PAUSE_MS = 250;
/** Delay before a retry if there was no connection, or the service was busy. */
const AGAIN_MS = 4_000;

/**
 * Reads the effect of a change, once the choice has not changed for a moment, and again for another choice.
 *
 * @param asOf state it depends on besides the choice: it is read again if that changes; null keeps the result unchanged
 */
export function usePreview(id: string, body: PortalChangeBody | null, asOf: string | null): State {
  const [state, setState] = useState<State>({ state: 'none' });
  const wanted = body === null ? null : JSON.stringify(body);
  useEffect(() => {
    if (asOf === null) return;
    if (wanted === null) {
      setState({ state: 'none' });
      return;
    }
    let current = true;
    setState({ state: 'looking' });
    let timer: number | undefined;
    const askAfter = (pause: number): void => {
      timer = window.setTimeout(() => void ask(), pause);
    };
    const ask = async (): Promise<void> => {
      try {
        const preview = await previewChange(id, JSON.parse(wanted) as PortalChangeBody);
        if (current) setState({ state: 'found', of: wanted, preview });
      } catch (error) {
        if (!current) return;
        const refusal = error instanceof Refusal ? error : new Refusal(0, 'unknown', null);
        const isPassing = refusal.reason === null && (refusal.status === 0 || refusal.status >= 500);
        setState({ state: 'refused', words: isPassing ? change.notNow : refusalInWords(refusal) });
        if (isPassing) askAfter(AGAIN_MS);
      }
    };
    askAfter(PAUSE_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [id, wanted, asOf]);
  return state;
}
