import type { Context } from 'koa';
import { encoded, preferredCoding, type ContentCoding } from '../compression';

export interface StaticFile {
  /** Its media type. */
  type: string;
  /** Called once, at the first request. */
  read: () => Buffer | Promise<Buffer>;
  /** `Cache-Control`, if it differs from the host's. */
  cache?: string;
  modifiedAt?: Date;
}

/** Serves a file that does not change while the process runs; each encoding of it is made once. */
export function staticFile(file: StaticFile): (ctx: Context) => Promise<void> {
  const made = new Map<ContentCoding | null, Promise<Buffer>>();
  const inCoding = (coding: ContentCoding | null): Promise<Buffer> => {
    const before = made.get(coding);
    if (before !== undefined) return before;
    const bytes =
      coding === null ? readOf(file) : inCoding(null).then((identity) => encoded(identity, coding));
    made.set(coding, bytes);
    // A failed read is retried at the next request.
    bytes.catch(() => made.delete(coding));
    return bytes;
  };
  return async (ctx) => {
    ctx.type = file.type;
    ctx.vary('Accept-Encoding');
    if (file.modifiedAt !== undefined) ctx.lastModified = file.modifiedAt;
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
    } else {
      const coding = preferredCoding(ctx, (await inCoding(null)).length);
      ctx.body = await inCoding(coding);
      if (coding !== null) ctx.set('Content-Encoding', coding);
    }
    // Last, so that no cache keeps the problem of a failed read.
    if (file.cache !== undefined) ctx.set('Cache-Control', file.cache);
  };
}

/**
 * Reads the file. The error of a failure has no system code, because `isFileUnreadable` would take it for an outage of
 * the database.
 */
async function readOf({ read }: StaticFile): Promise<Buffer> {
  try {
    return await read();
  } catch (error) {
    throw new Error('A file of the pages cannot be read.', { cause: error });
  }
}
