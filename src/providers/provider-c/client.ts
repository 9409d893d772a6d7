import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { USER_AGENT } from '../../domain/user-agent';
import { ADDRESS_TIMEOUT_MS, timeoutOf } from '../call-timeout';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { redactSecrets } from '../redact-secrets';

const PROVIDER_URL = 'https://api.paystack.co';
const dispatcher = new Agent({ connect: { autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS } });
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_MESSAGE_LENGTH = 200;

/** The outcome of one call. `declined` with `not_found` if the provider has no such object. */
export type Fetched<T> = Extract<Outcome<T>, { kind: 'done' | 'declined' | 'unknown' }>;

/** The provider's generic error sample has `status` as text. */
const envelope = z.looseObject({
  status: z.union([z.boolean(), z.enum(['true', 'false'])]),
  message: z.string().optional(),
  code: z.string().nullish(),
});

/**
 * Reads one resource with the connection's own secret key. It is not retried here; the caller may retry, because
 * reading changes nothing.
 *
 * @param path with its query, its parts already encoded
 * @param schema of the whole response body
 */
export function readOutcome<T>(
  access: ConnectionAccess,
  path: string,
  schema: z.ZodType<T>,
): Promise<Fetched<T>> {
  return call(access, { method: 'GET', path }, schema);
}

/**
 * Sends one request that changes something. `unknown` means that it may have taken effect: the provider has no
 * idempotency keys, so it is never retried here.
 *
 * @param body as JSON
 */
export function writeOutcome<T>(
  access: ConnectionAccess,
  path: string,
  body: Readonly<Record<string, unknown>>,
  schema: z.ZodType<T>,
): Promise<Fetched<T>> {
  return call(access, { method: 'POST', path, body: JSON.stringify(body) }, schema);
}

interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

/** Makes one call; follows no redirects. */
async function call<T>(
  access: ConnectionAccess,
  { method, path, body }: Request,
  schema: z.ZodType<T>,
): Promise<Fetched<T>> {
  const secretKey = access.secrets['secretKey'];
  if (secretKey === undefined || secretKey === '') {
    return { kind: 'declined', code: 'connection_incomplete', reason: 'The connection has no secret key.' };
  }
  const url = `${(access.baseUrl ?? PROVIDER_URL).replace(/\/+$/, '')}${path}`;
  const what = `${method} ${path.replace(/\?.*/, '')}`;
  let answer: Dispatcher.ResponseData;
  let answered: unknown;
  try {
    answer = await request(url, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        accept: 'application/json',
        'user-agent': USER_AGENT,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      dispatcher,
      signal: AbortSignal.timeout(timeoutOf(access)),
    });
    answered = parseJson(await readText(answer.body));
  } catch (error) {
    return { kind: 'unknown', reason: `Provider C did not answer ${what}: ${reasonOf(error)}.` };
  }
  return judge(access, answer.statusCode, answered, schema, what);
}

function judge<T>(
  access: ConnectionAccess,
  status: number,
  body: unknown,
  schema: z.ZodType<T>,
  what: string,
): Fetched<T> {
  const parsed = envelope.safeParse(body);
  // Before it is cut, because a part of a secret would not be recognized afterwards.
  const message = parsed.success ? shorten(redactSecrets(access, parsed.data.message ?? '')) : '';
  if (status === 401 || status === 403) {
    const reason = parsed.success
      ? message || 'The secret key is refused.'
      : `The answer ${status} to ${what} is not provider C's own: a firewall may have refused the request.`;
    return { kind: 'declined', code: 'authentication_failed', reason };
  }
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const isSuccess = status >= 200 && status < 300;
  if ((!isRefusal && !isSuccess) || !parsed.success) {
    return {
      kind: 'unknown',
      reason: `Provider C answered ${what} with ${status}${message && `: ${message}`}.`,
    };
  }
  const { status: flag, code } = parsed.data;
  if (isRefusal || flag === false || flag === 'false') {
    // Older answers have no code; only the message says it.
    const isMissing =
      status === 404 ||
      (code === undefined || code === null ? / not found/i.test(message) : code.endsWith('not_found'));
    const reason = message || 'Provider C refused it without a reason.';
    return { kind: 'declined', code: isMissing ? 'not_found' : (code ?? `http_${status}`), reason };
  }
  const value = schema.safeParse(body);
  if (value.success) return { kind: 'done', value: value.data };
  return {
    kind: 'unknown',
    reason: `Provider C answered ${what} in a shape that is not known: ${shorten(explain(value.error))}`,
  };
}

/** Describes where the body differs and how, but not its values. */
function explain(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new RangeError('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns undefined if the text is not JSON, for example a proxy's page. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? shorten(error.message) : 'it failed';
}

function shorten(text: string): string {
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
}
