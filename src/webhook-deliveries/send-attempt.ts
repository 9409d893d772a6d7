import { Client, type Dispatcher } from 'undici';
import { errorCode } from '../domain/errors';
import type { Environment } from '../domain/environment';
import { USER_AGENT } from '../domain/user-agent';
import { whyUrlIsRefused, type AddressRules } from '../domain/webhook-address';
import type { ResolveHost } from '../webhook-endpoints/resolve-host';
import { answerText } from './answer-text';
import { boundedConnect } from './bounded-connect';
import { checkedLookup, RefusedAddressError } from './checked-lookup';

/** An outgoing request. */
interface OutgoingMessage {
  url: string;
  environment: Environment;
  headers: Record<string, string>;
  payload: string;
}

/** Outcome of a request. */
export interface Answered {
  /** null if no answer came. */
  statusCode: number | null;
  /** Why no answer came, or why it was not read to the end; null if there was no error. */
  error: string | null;
  /** The first kilobyte of the answer; null if none came. */
  answer: string | null;
  retryAfter: string | undefined;
}

/** Posts a message once. It never throws: a failure is an outcome. */
export type SendAttempt = (message: OutgoingMessage) => Promise<Answered>;

/** Limit for the whole attempt: look-up, connection, request, answer and body. */
const ATTEMPT_MS = 15_000;
const CONNECT_MS = 10_000;
/** Bytes kept of an answer. Reading stops at the chunk that exceeds them. */
const KEPT_BYTES = 1_024;
const MAX_HEADERS = 16 * 1_024;
const NO_CONTENT = 204;

/** The receiver took too long. */
class TimeoutError extends Error {
  override name = 'TimeoutError';
}

/** The receiver sent more than an answer can contain. */
class FloodError extends Error {
  override name = 'FloodError';
}

/**
 * Error that ends the connection with its attempt. Created once, because it is never read and capturing its stack costs
 * time.
 */
const OVER = new Error('The attempt is over.');

/**
 * Creates the sender. Each attempt uses a connection of its own, which ends with it, so that no request goes through a
 * socket whose address was checked for another one. Redirects are not followed, nothing is decompressed, and no proxy
 * is used.
 *
 * @param options.attemptMs shorter in tests
 */
export function createSendAttempt(options: {
  rules: AddressRules;
  resolveHost: ResolveHost;
  attemptMs?: number;
}): SendAttempt {
  const { rules, resolveHost, attemptMs = ATTEMPT_MS } = options;
  const lookup = checkedLookup(rules, resolveHost);
  return async ({ url, environment, headers, payload }) => {
    // The look-up runs for names only, so an IP address in the URL is checked here.
    const why = whyUrlIsRefused(url, environment, rules);
    if (why !== null) return failed(`The address ${why}.`);
    const { origin, pathname, search } = new URL(url);
    const client: Client = new Client(origin, {
      connect: boundedConnect({ lookup, timeout: Math.min(CONNECT_MS, attemptMs) }, () => {
        void client.destroy(new FloodError());
      }),
      pipelining: 0,
      maxHeaderSize: MAX_HEADERS,
    });
    const timer = setTimeout(() => {
      void client.destroy(new TimeoutError());
    }, attemptMs);
    const sent: Dispatcher.RequestOptions = {
      method: 'POST',
      path: pathname + search,
      headers: {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': USER_AGENT,
        ...headers,
      },
      body: payload,
    };
    let status: number | null = null;
    try {
      const answer = await client.request(sent);
      status = answer.statusCode;
      const retryAfter = answer.headers['retry-after'];
      return {
        statusCode: status,
        error: null,
        answer: answerText(await firstBytes(answer.body)),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      };
    } catch (error) {
      // A 204 ends with its headers, whatever length they claim.
      if (status === NO_CONTENT)
        return { statusCode: status, error: null, answer: '', retryAfter: undefined };
      const text = textOf(error, attemptMs);
      return status === null ? failed(text) : failed(`${text} It had begun an answer ${status}.`);
    } finally {
      clearTimeout(timer);
      client.destroy(OVER).catch(() => undefined);
    }
  };
}

async function firstBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, KEPT_BYTES - size));
    size += chunk.length;
    if (size >= KEPT_BYTES) break;
  }
  return Buffer.concat(chunks);
}

function failed(error: string): Answered {
  return { statusCode: null, error, answer: null, retryAfter: undefined };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection was not made in time.',
  UND_ERR_SOCKET: 'The connection ended before the answer did.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
  UND_ERR_HEADERS_TIMEOUT: 'No answer came in time.',
  UND_ERR_BODY_TIMEOUT: 'The answer did not end in time.',
};

/** Describes the failure in one sentence for the delivery log. */
function textOf(error: unknown, attemptMs: number): string {
  if (error instanceof TimeoutError) return `No complete answer within ${attemptMs / 1_000} seconds.`;
  if (error instanceof FloodError) return 'The receiver sent more than an answer has.';
  if (error instanceof RefusedAddressError) return error.message;
  const code = errorCode(error);
  if (code !== undefined) return REASONS[code] ?? `The request failed (${answerText(Buffer.from(code))}).`;
  return error instanceof Error
    ? answerText(Buffer.from(error.message.slice(0, 200)))
    : 'The request failed.';
}
