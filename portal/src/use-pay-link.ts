import { useEffect, useState } from 'preact/hooks';
import { findPayLink } from './api';
import { Refusal } from './refusal';

/** Delays before further requests. The shortest exceeds the interval at which the service queries the provider. */
const AGAIN_MS = [15_000, 30_000, 60_000, 120_000, 300_000];

/**
 * Returns the provider's payment page for an overdue amount: undefined until the first answer, null while there is none
 * or none is known. The provider may be unreachable at first, or an operator may have disabled its connection. Until
 * the page is known, it is requested again, less and less often, and whenever the customer returns to this page.
 */
export function usePayLink(id: string, requested: boolean): string | null | undefined {
  const [link, setLink] = useState<string | null>();
  useEffect(() => {
    if (!requested) return;
    let isOver = false;
    let isAsking = false;
    let asked = 0;
    let timer: number | undefined;
    const ask = async (): Promise<void> => {
      if (isAsking) return;
      window.clearTimeout(timer);
      isAsking = true;
      const { url, mayExist } = await findPayLink(id).catch(resultOfFailure);
      isAsking = false;
      if (isOver) return;
      if (url !== null || !mayExist) {
        setLink(url);
        stop();
        return;
      }
      setLink(null);
      const delay = AGAIN_MS[asked++];
      if (delay !== undefined) timer = window.setTimeout(askIfSeen, delay);
    };
    const askIfSeen = (): void => {
      if (document.visibilityState === 'visible') void ask();
    };
    const stop = (): void => {
      isOver = true;
      document.removeEventListener('visibilitychange', askIfSeen);
      window.clearTimeout(timer);
    };
    document.addEventListener('visibilitychange', askIfSeen);
    void ask();
    return () => {
      stop();
      setLink(undefined);
    };
  }, [id, requested]);
  return requested ? link : null;
}

/** Returns the result of a failed request. Only a refusal is final, unless there were too many requests. */
function resultOfFailure(error: unknown): { url: null; mayExist: boolean } {
  const status = error instanceof Refusal ? error.status : 0;
  return { url: null, mayExist: status < 400 || status >= 500 || status === 429 };
}
