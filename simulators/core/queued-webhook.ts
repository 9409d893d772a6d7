import type { NamedCall } from './named-call';
import type { WebhookDelivery, WebhookRecord, WebhookSwitches } from './types';

/** A webhook in the outbox. */
export interface QueuedWebhook {
  make: NamedCall<WebhookDelivery>;
  record: WebhookRecord;
  retries: number;
  accepted: boolean;
  /** Real time of the planned or current attempt; null if there is none. */
  due: number | null;
}

/** Maximum number of accepted deliveries kept. */
const ACCEPTED_KEPT = 200;

export function queuedWebhook(
  make: QueuedWebhook['make'],
  named: Pick<WebhookRecord, 'id' | 'provider' | 'event'>,
): QueuedWebhook {
  const record = { ...named, url: '', body: Buffer.alloc(0), headers: {}, attempts: [] };
  return { make, record, retries: 0, accepted: false, due: null };
}

/** Limits the size of the stored state. Deliveries that were not accepted are kept, because they can be retried. */
export function forgetOldest(webhooks: QueuedWebhook[]): void {
  const accepted = webhooks.filter((webhook) => webhook.accepted && webhook.due === null);
  const [oldest] = accepted;
  if (oldest === undefined || accepted.length <= ACCEPTED_KEPT) return;
  webhooks.splice(webhooks.indexOf(oldest), 1);
}

export function noSwitches(): WebhookSwitches {
  return {
    duplicate: false,
    reorder: false,
    delayMs: 0,
    drop: false,
    tamper: false,
    wrongEnvironmentUrl: null,
  };
}

/** Makes one attempt and returns the response's status, or why there was no response. Follows no redirects. */
export async function deliver(
  { url, headers, body }: WebhookDelivery,
  timeoutMs: number,
): Promise<{ status: number } | { error: string; status?: undefined }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
    return { status: response.status };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

/** Returns the body with its middle byte changed: still text, and most likely still JSON. */
export function tamperWith(body: Buffer): Buffer {
  const tampered = Buffer.from(body);
  const place = Math.floor(tampered.length / 2);
  tampered.writeUInt8(tampered.readUInt8(place) ^ 1, place);
  return tampered;
}

/** Checked by shape, because an error of Node's own may come from another realm. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { code?: unknown; message?: unknown } };
  return [message, cause?.code ?? cause?.message].filter((part) => typeof part === 'string').join(': ');
}
