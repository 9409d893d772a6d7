import { useRef, useState } from 'preact/hooks';
import { command, Refusal, type Command } from './api';
import { refusalInWords } from './strings';
import type { PortalChangeBody, PortalDone } from './types';

/**
 * Sends one command. Each decision has a key: a second press, or another try after a broken connection, does it once.
 *
 * @param onAnswer told when it is done; null where it is still under way
 */
export function useCommand(
  id: string,
  name: Command,
  onAnswer: (done: PortalDone | null) => void,
): { busy: boolean; problem: string | null; send: (body: PortalChangeBody) => void } {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const decidedRef = useRef<{ body: string; key: string } | null>(null);
  const runningRef = useRef(false);
  const run = async (body: PortalChangeBody): Promise<void> => {
    const text = JSON.stringify(body);
    if (decidedRef.current?.body !== text) decidedRef.current = { body: text, key: crypto.randomUUID() };
    setBusy(true);
    setProblem(null);
    try {
      onAnswer(await command(id, name, body, decidedRef.current.key));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setProblem(refusalInWords(error));
    } finally {
      runningRef.current = false;
      setBusy(false);
    }
  };
  const send = (body: PortalChangeBody): void => {
    if (runningRef.current) return;
    runningRef.current = true;
    void run(body);
  };
  return { busy, problem, send };
}
