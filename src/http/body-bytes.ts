import type { IncomingMessage } from 'node:http';
import { TollgateError } from '../domain/errors';
import { inviteBody } from './expect-continue';

/**
 * Pieces of a body that are joined into one. Each piece takes hundreds of bytes of memory however small it is, and a
 * caller may send a body byte by byte.
 */
const JOINED_PIECES = 256;

/**
 * Reads the bytes of a request's body before any parser, because a webhook's signature covers them. Node's parser
 * checks them against Content-Length. Reading stops at the limit.
 *
 * @throws TollgateError body_too_large (413), body_incomplete (400) if the caller disconnected
 */
export function readBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) return Promise.reject(tooLarge(most));
  inviteBody(request);
  return new Promise((resolve, reject) => {
    const joined: Buffer[] = [];
    let chunks: Buffer[] = [];
    let size = 0;
    const incomplete = (): void => {
      reject(new TollgateError('body_incomplete', 'The body ended before its stated length.'));
    };
    if (request.destroyed) {
      incomplete();
      return;
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
        if (chunks.length < JOINED_PIECES) return;
        joined.push(Buffer.concat(chunks));
        chunks = [];
        return;
      }
      request.off('data', take).pause();
      reject(tooLarge(most));
    };
    request.on('data', take);
    request.on('end', () => {
      const all = [...joined, ...chunks];
      const [first] = all;
      resolve(first !== undefined && all.length === 1 ? first : Buffer.concat(all));
    });
    // Has no effect after the end.
    request.on('error', incomplete);
  });
}

function tooLarge(most: number): TollgateError {
  return new TollgateError('body_too_large', `The body is larger than ${most} bytes.`);
}
