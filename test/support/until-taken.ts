import { randomUUID } from 'node:crypto';
import type { Answer, Integrator } from './integrator';
import { until } from './until';
import { postBatch, resultsOf, type BatchEvent, type BatchResult } from './usage-batches';

/**
 * Repeats a request while its answer says when to send it again, or that its command is still running. On a loaded
 * machine, a record or a key can be locked for longer than a request waits, or no connection is free. Where a command is
 * sent or a connection may be lost, only a request with an idempotency key is safe to repeat.
 */
export async function untilTaken<Taken extends Pick<Answer, 'status' | 'headers' | 'body'>>(
  send: () => Promise<Taken>,
): Promise<Taken> {
  let answer: Taken | undefined;
  await until(
    async () => {
      answer = await send();
      return answer.status !== 202 && answer.headers.get('Retry-After') === null;
    },
    () => `the answer is still ${answer?.status}: ${JSON.stringify(answer?.body)}`,
  );
  if (answer === undefined) throw new Error('Nothing was sent.');
  return answer;
}

interface TrackOptions {
  key?: string;
  timestamp?: string;
  entity?: string;
  reservationId?: string;
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

/** Sends a batch by {@link untilTaken}, and again those of its events whose results say when. */
export async function sendBatchUntilTaken(
  api: Integrator,
  events: readonly BatchEvent[],
): Promise<BatchResult[]> {
  const results = new Map<BatchEvent, BatchResult>();
  let left = events;
  await until(
    async () => {
      const sent = left;
      const answered = resultsOf(await untilTaken(() => postBatch(api, sent)));
      answered.forEach((result, index) => {
        const event = sent[index];
        if (event !== undefined) results.set(event, result);
      });
      left = sent.filter((event) => results.get(event)?.retryAfter !== undefined);
      return left.length === 0;
    },
    () => `the results are still ${JSON.stringify(left.map((event) => results.get(event)))}`,
  );
  return events.flatMap((event) => results.get(event) ?? []);
}
