import { randomUUID } from 'node:crypto';
import type { Answer, Integrator } from './integrator';
import { sendBatch, type BatchEvent, type BatchResult } from './usage-batches';

/**
 * Repeats a request, with its key, while its answer says when to send it again. On a loaded machine, a record or a key
 * can be locked for longer than a request waits; nothing was done then.
 */
export async function untilTaken(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.headers.get('Retry-After') === null) return answer;
  }
}

interface TrackOptions {
  key?: string;
  timestamp?: string;
  entity?: string;
  reservationId?: unknown;
}

/** Records a use by {@link untilTaken}. */
export function trackUntilTaken(
  api: Integrator,
  externalId: string,
  feature: string,
  quantity = 1,
  { key = randomUUID(), ...more }: TrackOptions = {},
): Promise<Answer> {
  return untilTaken(() => api.track(externalId, feature, quantity, key, more));
}

/** Sends a batch, and again those of its events whose answers say when. */
export async function sendBatchUntilTaken(
  api: Integrator,
  events: readonly BatchEvent[],
): Promise<BatchResult[]> {
  const results = await sendBatch(api, events);
  const refused = [...results.keys()].filter((index) => results[index]?.retryAfter !== undefined);
  if (refused.length === 0) return results;
  const again = await sendBatchUntilTaken(
    api,
    refused.flatMap((index) => events[index] ?? []),
  );
  return results.map((result, index) => again[refused.indexOf(index)] ?? result);
}
