import { Refusal } from './refusal';

/** How long an answer is waited for: longer than the slowest of the service take, some of which ask a provider. */
const READ_PATIENCE_MS = 30_000;
const WRITE_PATIENCE_MS = 60_000;

/**
 * As `fetch`, with the whole body: an answer that breaks off half-way is none. A connection that is gone without a word would
 * be waited for without end, and nothing on the page would say so.
 *
 * @throws Refusal there was no answer, or none in time
 */
export async function fetchWhole(address: string, request: RequestInit): Promise<Response> {
  const patience = new AbortController();
  const isRead = (request.method ?? 'GET') === 'GET';
  const timer = window.setTimeout(() => patience.abort(), isRead ? READ_PATIENCE_MS : WRITE_PATIENCE_MS);
  try {
    const answer = await fetch(address, { ...request, signal: patience.signal });
    const body = await answer.arrayBuffer();
    // A status such as 304 takes none, not even an empty one.
    return new Response(body.byteLength === 0 ? null : body, answer);
  } catch {
    throw new Refusal(0, patience.signal.aborted ? 'no_answer' : 'unreachable', null);
  } finally {
    window.clearTimeout(timer);
  }
}
