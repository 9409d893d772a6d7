import { Agent, request } from 'undici';
import { USER_AGENT } from '../../domain/user-agent';
import { ADDRESS_TIMEOUT_MS } from '../call-timeout';
import { ProviderBFailure } from './failure';

interface Sent {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Time limit for the whole exchange. */
  timeoutMs: number;
}

export interface Received {
  status: number;
  text: string;
  /** Identifies this call in provider B's logs. */
  debugId: string | null;
}

export type Transport = (sent: Sent) => Promise<Received>;

const CONNECT_TIMEOUT_MS = 5_000;
/** Far larger than any answer that this service reads. */
const ANSWER_LIMIT = 4 * 1024 * 1024;

/**
 * Creates the transport: one HTTP exchange, no redirects, no retries, with a time limit and a size limit.
 *
 * @throws ProviderBFailure unavailable
 */
export function createTransport(): Transport {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS },
  });
  return async ({ method, url, headers, body, timeoutMs }) => {
    try {
      const answer = await request(url, {
        method,
        headers: { 'user-agent': USER_AGENT, ...headers },
        body: body ?? null,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const debugId = answer.headers['paypal-debug-id'];
      return {
        status: answer.statusCode,
        text: await readText(answer.body),
        debugId: typeof debugId === 'string' ? debugId.slice(0, 64) : null,
      };
    } catch (error) {
      if (error instanceof ProviderBFailure) throw error;
      throw new ProviderBFailure('unavailable', 'no_answer', `Provider B did not answer: ${whyNot(error)}.`);
    }
  };
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_LIMIT) {
      throw new ProviderBFailure('unreadable', 'answer_too_large', 'The answer of provider B is too large.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the code of a network error (`ECONNREFUSED`), or its name; its message could repeat the request. */
function whyNot(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown error';
  if ('name' in error && error.name === 'TimeoutError') return 'timed out';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown error';
}
