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

/** What a change would do; it is asked for once the choice rests, and again for another choice. */
export function usePreview(id: string, body: PortalChangeBody | null): State {
  const [state, setState] = useState<State>({ state: 'none' });
  const wanted = body === null ? null : JSON.stringify(body);
  useEffect(() => {
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
  }, [id, wanted]);
  return state;
}
