import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isTollgateError, TollgateError } from '../domain/errors';
import { readBytes } from './body-bytes';
import type { BodyLimit } from './body-limit';
import { shortened } from './json-pointer';
import { scanJson } from './json-scan';

/** JSON is UTF-8 (RFC 8259): the only charsets allowed are UTF-8 and its subset ASCII. */
const CHARSET = /^charset\s*=\s*"?(?:utf-?8|us-ascii)"?$/;

const BYTE_ORDER_MARK = '\ufeff';

/** Time limit for the body of an unauthenticated request, in milliseconds. */
const ARRIVAL_MS = 10_000;

/**
 * Reads the body of an unauthenticated caller, which may send it arbitrarily slowly.
 *
 * @param arrivalMs shorter in tests
 * @throws TollgateError body_too_large (413), body_incomplete (400), request_timeout (408)
 */
export async function readBytesInTime(
  request: IncomingMessage,
  limit: BodyLimit,
  arrivalMs = ARRIVAL_MS,
): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      request.pause();
      reject(new TollgateError('request_timeout', 'The body did not arrive in time.'));
    }, arrivalMs);
  });
  try {
    return await Promise.race([readBytes(request, limit.bytes), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Parses a request's body as JSON. Refuses input that would otherwise be changed silently: bytes that are not UTF-8,
 * duplicate members, numbers that a double cannot hold, characters that the database cannot store.
 *
 * @throws TollgateError validation_failed if there is no body, content_type_unsupported, body_too_large,
 *   body_too_complex, body_invalid_utf8, body_invalid_json, body_duplicate_member, body_number_imprecise
 */
export async function readJson(request: IncomingMessage, limit: BodyLimit): Promise<unknown> {
  assertJsonContent(request);
  return parseJson(await readBytes(request, limit.bytes), limit);
}

/** Whether the request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}

/**
 * Refuses a body on a route that takes none, because its content would be ignored silently. `{}` is accepted.
 *
 * @throws TollgateError validation_failed
 */
export async function refuseBody(request: IncomingMessage, limit: BodyLimit): Promise<void> {
  if (!hasBody(request)) return;
  if (await saysNothing(request, limit)) return;
  const unwanted = { pointer: '', message: 'is not accepted', fix: 'Send the request without a body.' };
  throw new TollgateError('validation_failed', 'This request takes no body.', { errors: [unwanted] });
}

async function saysNothing(request: IncomingMessage, limit: BodyLimit): Promise<boolean> {
  try {
    const text = (await readBytes(request, limit.bytes)).toString('utf8').trim();
    return text === '' || /^\{\s*\}$/.test(text);
  } catch (error) {
    // Too large or cut off, so there is a body.
    if (isTollgateError(error)) return false;
    throw error;
  }
}

/** @throws TollgateError validation_failed if there is no body, content_type_unsupported */
export function assertJsonContent(request: IncomingMessage): void {
  if (!hasBody(request)) {
    const missing = { pointer: '', message: 'is missing', fix: 'Send a JSON object.' };
    throw new TollgateError('validation_failed', `The body ${missing.message}.`, { errors: [missing] });
  }
  const header = request.headers['content-type'];
  const encoding = request.headers['content-encoding'];
  // Fast path for the usual header.
  if (header === 'application/json' && encoding === undefined) return;
  const [type, ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const inUtf8 = parameters.every((part) => !part.startsWith('charset') || CHARSET.test(part));
  if (type !== 'application/json' || !inUtf8) {
    throw new TollgateError(
      'content_type_unsupported',
      header === undefined
        ? 'The body has no Content-Type.'
        : `The body's Content-Type is ${shortened(header, 80)}, not application/json in UTF-8.`,
    );
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new TollgateError(
      'content_type_unsupported',
      'The body is compressed (Content-Encoding); send it as it is.',
    );
  }
}

/** @throws TollgateError body_invalid_utf8 */
export function refuseUndecodable(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new TollgateError('body_invalid_utf8', 'The body is not valid UTF-8.');
}

/**
 * Parses JSON text, unless parsing would change it silently (`readJson`).
 *
 * @throws TollgateError body_too_complex, body_invalid_utf8, body_invalid_json, body_duplicate_member,
 *   body_number_imprecise
 */
export function parseJson(bytes: Buffer, limit: BodyLimit): unknown {
  refuseUndecodable(bytes);
  const text = bytes.toString('utf8');
  if (text.startsWith(BYTE_ORDER_MARK)) {
    throw new TollgateError('body_invalid_json', 'The body begins with a byte order mark; leave it out.');
  }
  scanJson(text, limit.values);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TollgateError(
      'body_invalid_json',
      `The body is not valid JSON: ${error instanceof Error ? error.message.split('\n')[0] : ''}`,
    );
  }
}
