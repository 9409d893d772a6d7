import { Refusal } from './refusal';

/** How long to wait for an answer: longer than for the service's slowest, some of which query a provider. */
const READ_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 60_000;

/**
 * Like `fetch`, including the whole body: a truncated answer counts as none. Without the timeout, a silently broken
 * connection would be waited for indefinitely, with nothing shown on the page.
 *
 * @param request its signal stops the request
 * @throws Refusal if there was no answer, or none in time
 */
export async function fetchWhole(address: string, request: RequestInit): Promise<Response> {
  const timeout = new AbortController();
  const isRead = (request.method ?? 'GET') === 'GET';
  const timer = window.setTimeout(() => timeout.abort(), isRead ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS);
  request.signal?.addEventListener('abort', () => timeout.abort());
  try {
    const answer = await fetch(address, { ...request, signal: timeout.signal });
    const body = await answer.arrayBuffer();
    // A status such as 304 allows no body, not even an empty one.
    return new Response(body.byteLength === 0 ? null : body, answer);
  } catch {
    throw new Refusal(0, timeout.signal.aborted ? 'no_answer' : 'unreachable', null);
  } finally {
    window.clearTimeout(timer);
  }
}
