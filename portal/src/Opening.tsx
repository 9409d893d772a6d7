import { useState } from 'preact/hooks';
import { openSession } from './api';
import type { Ending } from './Closed';
import { Refusal } from './refusal';
import { opening, refusalInWords } from './strings';

/**
 * Shown before a link is opened. The customer opens it with a button, so a mail scanner that loads the address, or even
 * runs the page, does not use it up.
 */
export function Opening(props: { token: string; onOpened: () => void; onRefused: (how: Ending) => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await openSession(props.token);
      props.onOpened();
    } catch (error) {
      setBusy(false);
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 404 || error.status === 400) props.onRefused('used');
      else setProblem(error.status === 0 || error.status >= 500 ? opening.failed : refusalInWords(error));
    }
  };
  return (
    <main class="lone">
      <h1>{opening.title}</h1>
      <p>{opening.about}</p>
      <button type="button" class="primary" aria-busy={busy} onClick={() => void open()}>
        {busy ? opening.busy : opening.button}
      </button>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </main>
  );
}
