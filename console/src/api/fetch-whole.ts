import { noAnswer, onlyReads, unreachable } from './problem.ts';

/** How long to wait for an answer: longer than for the service's slowest, some of which query a provider. */
const READ_TIMEOUT_MS = 60_000;
const WRITE_TIMEOUT_MS = 120_000;

/**
 * Like `fetch`, including the whole body: a truncated answer counts as none, and fails like a missing one.
 *
 * @throws ProblemError if there was no answer, or none in time
 */
export async function fetchWhole(request: Request): Promise<Response> {
  const mayBeDone = !onlyReads(request);
  const timeoutMs = mayBeDone ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const response = await fetch(request, { signal: timeout.signal });
    const body = await response.arrayBuffer();
    // A status such as 204 allows no body, not even an empty one.
    return new Response(body.byteLength === 0 ? null : body, response);
  } catch {
    throw timeout.signal.aborted ? noAnswer(mayBeDone, timeoutMs / 1_000) : unreachable(mayBeDone);
  } finally {
    clearTimeout(timer);
  }
}
