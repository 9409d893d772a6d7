import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Next } from 'koa';

/** Below this compression saves nothing: the answer is one packet either way. */
const LEAST_BYTES = 1024;

const compressWithGzip = promisify(gzip);
const compressWithBrotli = promisify(brotliCompress);

/** Both run on other threads, so that a large answer does not hold up the others. */
const encoders = {
  // The default, 11, takes fifty times as long for a tenth less.
  br: (bytes: Buffer) => compressWithBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => compressWithGzip(bytes),
};
export type ContentCoding = keyof typeof encoders;

/** The bytes under a coding. */
export const encoded = (bytes: Buffer, coding: ContentCoding): Promise<Buffer> => encoders[coding](bytes);

/** What a request would rather have for so many bytes, of what we can do; null for them as they are. */
export function preferredCoding(ctx: Context, bytes: number): ContentCoding | null {
  if (bytes <= LEAST_BYTES) return null;
  const coding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  return coding === 'br' || coding === 'gzip' ? coding : null;
}

/** Has this answer sent as it is: see `compress` of a route. */
export function leaveUncompressed(ctx: Context): void {
  (ctx.state as { uncompressed?: true }).uncompressed = true;
}

/**
 * Compresses what the rest has answered as text or bytes, where the client takes that. What is sent in other ways
 * (a stream of events, a page that was compressed before) goes through untouched. A HEAD has the headers of its GET.
 */
export async function compressAnswers(ctx: Context, next: Next): Promise<void> {
  await next();
  const { body } = ctx;
  if (ctx.respond === false || (ctx.state as { uncompressed?: true }).uncompressed === true) return;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  if (ctx.res.hasHeader('Content-Encoding')) return;
  // Also on what is sent as it is: a cache must not give that to everybody.
  ctx.vary('Accept-Encoding');
  const coding = preferredCoding(ctx, Buffer.byteLength(body));
  if (coding === null) return;
  ctx.body = await encoded(Buffer.isBuffer(body) ? body : Buffer.from(body), coding);
  ctx.set('Content-Encoding', coding);
}
