import { noAnswer, unreachable } from './problem';

/** How long an answer is waited for: longer than the slowest of the service take, some of which ask a provider. */
const READ_PATIENCE_MS = 60_000;
const WRITE_PATIENCE_MS = 120_000;

/**
 * As `fetch`, with the whole body: an answer that breaks off half-way is none, and fails as one that never came.
 *
 * @throws ProblemError there was no answer, or none in time
 */
export async function fetchWhole(request: Request): Promise<Response> {
  const patienceMs = request.method === 'GET' ? READ_PATIENCE_MS : WRITE_PATIENCE_MS;
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    const response = await fetch(request, { signal: patience.signal });
    const body = await response.arrayBuffer();
    // A status such as 204 takes none, not even an empty one.
    return new Response(body.byteLength === 0 ? null : body, response);
  } catch {
    throw patience.signal.aborted ? noAnswer(patienceMs / 1_000) : unreachable();
  } finally {
    clearTimeout(timer);
  }
}
