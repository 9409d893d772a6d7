import { request } from 'node:http';

/** A webhook exactly as sent over the wire: header names keep their case and repetitions. */
export interface RawDelivery {
  bytes: Buffer | string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Sent in chunks without a length. */
  chunked?: boolean;
}

export function deliver(
  url: string,
  { bytes, headers, chunked = false }: RawDelivery,
): Promise<{ status: number; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const framing = chunked
      ? ['Transfer-Encoding', 'chunked']
      : ['Content-Length', String(Buffer.byteLength(bytes))];
    const all = ['Host', new URL(url).host, ...framing, ...headers.flat()];
    const sent = request(url, { method: 'POST', headers: all }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> });
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}
