import type { WebhookDelivery } from './types';

/** One attempt: the status that was answered, or why there was no answer. Follows no redirects. */
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

/** The body with its middle byte changed: still text, still most likely JSON. */
export function tamperWith(body: Buffer): Buffer {
  const tampered = Buffer.from(body);
  const place = Math.floor(tampered.length / 2);
  tampered.writeUInt8(tampered.readUInt8(place) ^ 1, place);
  return tampered;
}

/** By shape: an error of Node's own may come from another realm. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { code?: unknown; message?: unknown } };
  return [message, cause?.code ?? cause?.message].filter((part) => typeof part === 'string').join(': ');
}
