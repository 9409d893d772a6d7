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

/** Long enough for a number to be typed. */
const PAUSE_MS = 250;
/** How soon it is asked for again where there was no connection, or the service was busy. */
const AGAIN_MS = 4_000;

/**
 * What a change would do; it is asked for once the choice rests, and again for another choice.
 *
 * @param asOf what it depends on beside the choice: where that has changed, it is asked for again; null leaves what was
 *   found as it is
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
