import { useEffect, useState } from 'preact/hooks';
import { previewChange, Refusal } from './api';
import { refusalInWords } from './strings';
import type { PortalChangeBody, PortalPreview } from './types';

type State =
  | { state: 'none' }
  | { state: 'looking' }
  | { state: 'found'; of: string; preview: PortalPreview }
  | { state: 'refused'; words: string };

/** Long enough for a number to be typed. */
const PAUSE_MS = 250;

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
    const timer = window.setTimeout(() => {
      previewChange(id, JSON.parse(wanted) as PortalChangeBody).then(
        (preview) => {
          if (current) setState({ state: 'found', of: wanted, preview });
        },
        (error: unknown) => {
          const refusal = error instanceof Refusal ? error : new Refusal(0, 'unknown', null);
          if (current) setState({ state: 'refused', words: refusalInWords(refusal) });
        },
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [id, wanted, asOf]);
  return state;
}
