import type { Answer, Integrator } from './integrator';

/** An event of a batch. */
export interface BatchEvent {
  idempotencyKey: string;
  externalId: string;
  feature: string;
  quantity: number;
  source?: string;
}

/** Result of one event of a batch. */
export interface BatchResult {
  idempotencyKey: string | null;
  status: number;
  replayed: boolean;
  retryAfter?: number;
  answer?: Record<string, unknown>;
  problem?: Record<string, unknown>;
}

export function postBatch(api: Integrator, events: readonly unknown[]): Promise<Answer> {
  return api.send('POST', '/v1/usage/batch', { events });
}

/** Returns the results of a batch that must not have been refused as a whole. */
export function resultsOf({ status, text, body }: Answer): BatchResult[] {
  if (status !== 200) throw new Error(`The batch was answered ${status}: ${text}`);
  return body['results'] as BatchResult[];
}

/** Sends a batch that must not be refused as a whole. */
export async function sendBatch(api: Integrator, events: readonly unknown[]): Promise<BatchResult[]> {
  return resultsOf(await postBatch(api, events));
}
