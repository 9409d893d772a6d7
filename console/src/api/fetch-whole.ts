import { noAnswer, unreachable } from './problem';

/** How long to wait for an answer: longer than for the service's slowest, some of which query a provider. */
const READ_PATIENCE_MS = 60_000;
const WRITE_PATIENCE_MS = 120_000;

/**
 * Like `fetch`, including the whole body: a truncated answer counts as none, and fails like a missing one.
 *
 * @throws ProblemError if there was no answer, or none in time
 */
export async function fetchWhole(request: Request): Promise<Response> {
  const patienceMs = request.method === 'GET' ? READ_PATIENCE_MS : WRITE_PATIENCE_MS;
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    const response = await fetch(request, { signal: patience.signal });
    const body = await response.arrayBuffer();
    // A status such as 204 allows no body, not even an empty one.
    return new Response(body.byteLength === 0 ? null : body, response);
  } catch {
    throw patience.signal.aborted ? noAnswer(patienceMs / 1_000) : unreachable(request.method);
  } finally {
    clearTimeout(timer);
  }
}
