import type { Middleware } from 'openapi-fetch';
import { fetchWhole } from './fetch-whole';
import { readProblem } from './problem';

/** A request for the second factor, while its dialog is open. */
interface Question {
  answer: (isConfirmed: boolean) => void;
  /** Shared by all requests that wait for the same answer. */
  isConfirmed: Promise<boolean>;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function setQuestion(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Returns the open question; null if there is none. A snapshot for `useSyncExternalStore`. */
export function openQuestion(): Question | null {
  return question;
}

export function onQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Resolves once the operator has confirmed their second factor in this session, or has declined. */
function requestConfirmation(): Promise<boolean> {
  if (question !== null) return question.isConfirmed;
  let answer: (isConfirmed: boolean) => void = () => undefined;
  const isConfirmed = new Promise<boolean>((resolve) => {
    answer = (confirmed) => {
      // The code may be confirmed after the page was left; by then another page may have asked.
      if (question?.answer === answer) setQuestion(null);
      resolve(confirmed);
    };
  });
  setQuestion({ answer, isConfirmed });
  return isConfirmed;
}

/** Requests that may have to be sent again, because a request's body can be read only once. */
const kept = new Map<string, Request>();

/** Asks for the second factor if an answer requires it again, and then sends the same request once more. */
export const stepUp: Middleware = stepUpAfter(() => Promise.resolve());

/**
 * Asks for the second factor as `stepUp` does, and repeats `check` before the request is sent again: until the code is
 * entered, what the check has read may have changed.
 *
 * @param check throws if the request must not be sent; returns the body to send, if it depends on what was read
 */
export function stepUpAfter(check: () => Promise<unknown>): Middleware {
  return {
    onRequest({ request, id }) {
      if (request.method !== 'GET') kept.set(id, request.clone());
    },
    async onResponse({ response, id }) {
      const request = kept.get(id);
      kept.delete(id);
      if (request === undefined || response.status !== 403) return undefined;
      const { problem } = await readProblem(response.clone(), request);
      if (problem.code !== 'second_factor_required' || !(await requestConfirmation())) return undefined;
      const body = await check();
      return fetchWhole(body === undefined ? request : new Request(request, { body: JSON.stringify(body) }));
    },
    onError({ id }) {
      kept.delete(id);
    },
  };
}
