import { useRef, useState } from 'preact/hooks';
import { command, type Command } from './api';
import { Refusal } from './refusal';
import { refusalInWords } from './strings';
import type { PortalChangeBody, PortalDone, PortalUnderWay } from './types';

/** Callbacks for the progress of a command. */
export interface CommandCallbacks {
  onSent: () => void;
  onDone: (words: string) => void;
  onUnderWay: (operationId: string) => void;
}

/**
 * Sends one command. Each decision has an idempotency key, so that a second press, or a retry after a broken
 * connection, carries it out once.
 *
 * @param inWords message to show when it is done
 */
export function useCommand(
  id: string,
  name: Command,
  callbacks: CommandCallbacks,
  inWords: (done: PortalDone) => string,
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
      const answer = await command(id, name, body, decidedRef.current.key);
      if (isUnderWay(answer)) callbacks.onUnderWay(answer.operationId);
      else callbacks.onDone(inWords(answer));
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
    callbacks.onSent();
    void run(body);
  };
  return { busy, problem, send };
}

function isUnderWay(answer: PortalDone | PortalUnderWay): answer is PortalUnderWay {
  return 'operationId' in answer;
}
