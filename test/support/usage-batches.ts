import type { Integrator } from './integrator';

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

/** Sends a batch that must not be refused as a whole. */
export async function sendBatch(api: Integrator, events: readonly unknown[]): Promise<BatchResult[]> {
  const { status, text, body } = await api.send('POST', '/v1/usage/batch', { events });
  if (status !== 200) throw new Error(`The batch was answered ${status}: ${text}`);
  return body['results'] as BatchResult[];
}
