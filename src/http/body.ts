import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isSafeNumber, parse as parseLossless, parseNumberAndBigInt } from 'lossless-json';
import getRawBody from 'raw-body';
import { isTollgateError, TollgateError } from '../domain/errors';

/** The largest request body, in bytes. */
const BODY_LIMIT = 1024 * 1024;

/**
 * The body's bytes, before any parser: a webhook's signature is over these.
 *
 * @throws TollgateError body_too_large (413), body_incomplete (400) when the caller went away
 */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(request, {
      limit: BODY_LIMIT,
      length: request.headers['content-length'] ?? null,
    });
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? error.type : undefined;
    if (type === 'entity.too.large') {
      throw new TollgateError('body_too_large', `The body is larger than ${BODY_LIMIT} bytes.`);
    }
    if (type === 'request.aborted' || type === 'request.size.invalid' || type === 'stream.not.readable') {
      throw new TollgateError('body_incomplete', 'The body ended before its stated length.');
    }
    throw error;
  }
}

/**
 * The JSON value of a request's body. Refuses what would otherwise be changed in silence: bytes that are not
 * UTF-8, numbers that a double cannot hold, characters that the database cannot store.
 *
 * @throws TollgateError content_type_unsupported, body_too_large, body_invalid_utf8, body_invalid_json,
 *   body_number_imprecise
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  assertJsonContent(request);
  return parseJson(await readBytes(request));
}

/**
 * Refuses a body where none is taken: what it asks for would be left out without a word. `{}` asks for nothing.
 *
 * @throws TollgateError validation_failed
 */
export async function refuseBody(request: IncomingMessage): Promise<void> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (length === '0' && encoding === undefined) return;
  if (await saysNothing(request)) return;
  throw new TollgateError('validation_failed', 'This request takes no body.');
}

async function saysNothing(request: IncomingMessage): Promise<boolean> {
  try {
    const text = (await readBytes(request)).toString('utf8').trim();
    return text === '' || /^\{\s*\}$/.test(text);
  } catch (error) {
    // Too large, or cut off: there is one.
    if (isTollgateError(error)) return false;
    throw error;
  }
}

function assertJsonContent(request: IncomingMessage): void {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new TollgateError(
      'content_type_unsupported',
      `The body's Content-Type is ${type ?? 'not given'}, not application/json.`,
    );
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new TollgateError(
      'content_type_unsupported',
      'The body is compressed (Content-Encoding); send it as it is.',
    );
  }
}

/** A run of this many digits (with at most a point among them) may be more than a double holds. */
const LONG_NUMBER = /[\d.]{16,}/;

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new TollgateError('body_invalid_utf8', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new TollgateError(
      'body_invalid_json',
      `The body is not valid JSON: ${error instanceof Error ? error.message.split('\n')[0] : ''}`,
    );
  }
  if (LONG_NUMBER.test(text)) assertNumbersExact(text);
  if (text.includes('__proto__')) assertNoPrototypeKey(value);
  if (text.includes('\\u')) assertStorable(value);
  return value;
}

function assertNumbersExact(text: string): void {
  let imprecise: string | undefined;
  try {
    parseLossless(text, null, (source) => {
      if (!isSafeNumber(source)) imprecise ??= source;
      return parseNumberAndBigInt(source);
    });
  } catch {
    // JSON.parse took it and this parser did not: it recurses, so the nesting is beyond any real request.
    throw new TollgateError('body_invalid_json', 'The body is nested too deeply.');
  }
  if (imprecise !== undefined) {
    throw new TollgateError(
      'body_number_imprecise',
      `The number ${imprecise.slice(0, 40)} has more digits than a JSON number carries exactly.`,
    );
  }
}

function assertNoPrototypeKey(value: unknown): void {
  for (const [key] of entriesDeep(value)) {
    if (key === '__proto__')
      throw new TollgateError('body_invalid_json', 'A field may not be named "__proto__".');
  }
}

function assertStorable(value: unknown): void {
  for (const [key, member] of entriesDeep({ body: value })) {
    for (const text of [key, member]) {
      if (typeof text === 'string' && (text.includes('\0') || !text.isWellFormed())) {
        throw new TollgateError(
          'body_invalid_json',
          'The body has a NUL character or half of a surrogate pair, which cannot be stored.',
        );
      }
    }
  }
}

/** Every key and value at any depth, without recursion: depth is the sender's choice. */
function* entriesDeep(root: unknown): Generator<[string, unknown]> {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const entry of Object.entries(value) as [string, unknown][]) {
      yield entry;
      if (typeof entry[1] === 'object') pending.push(entry[1]);
    }
  }
}
