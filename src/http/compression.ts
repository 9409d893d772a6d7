import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Next } from 'koa';

/** Below this size compression saves nothing: the answer is one packet either way. */
const MIN_BYTES = 1024;

const compressWithGzip = promisify(gzip);
const compressWithBrotli = promisify(brotliCompress);

/** Both run on other threads, so that a large answer does not block others. */
const encoders = {
  // The default, 11, takes fifty times as long to save another tenth.
  br: (bytes: Buffer) => compressWithBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => compressWithGzip(bytes),
};
export type ContentCoding = keyof typeof encoders;

/** Encodes the bytes with a coding. */
export const encoded = (bytes: Buffer, coding: ContentCoding): Promise<Buffer> => encoders[coding](bytes);

/** Returns the supported coding that a request prefers for an answer of this size; null for none. */
export function preferredCoding(ctx: Context, bytes: number): ContentCoding | null {
  if (bytes <= MIN_BYTES) return null;
  const coding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  return coding === 'br' || coding === 'gzip' ? coding : null;
}

/** Sends this answer uncompressed: see `compress` of a route. */
export function leaveUncompressed(ctx: Context): void {
  (ctx.state as { uncompressed?: true }).uncompressed = true;
}

/**
 * Compresses text and byte answers if the client accepts that. Other answers (an event stream, a page compressed
 * before) pass unchanged. A HEAD has the headers of its GET.
 */
export async function compressAnswers(ctx: Context, next: Next): Promise<void> {
  await next();
  const { body } = ctx;
  if (ctx.respond === false || (ctx.state as { uncompressed?: true }).uncompressed === true) return;
  // A 304 has the `Vary` of its 200 (RFC 9110, section 15.4.5).
  if (ctx.status === 304) ctx.vary('Accept-Encoding');
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  if (ctx.res.hasHeader('Content-Encoding')) return;
  // Also set on uncompressed answers, so that a cache does not serve them to all clients.
  ctx.vary('Accept-Encoding');
  const coding = preferredCoding(ctx, Buffer.byteLength(body));
  if (coding === null) return;
  ctx.body = await encoded(Buffer.isBuffer(body) ? body : Buffer.from(body), coding);
  ctx.set('Content-Encoding', coding);
}
