import { Agent as HttpAgent, request as plain, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as secure } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import Stripe from 'stripe';
import { ADDRESS_TIMEOUT_MS } from '../call-timeout';

/** Shorter than the five seconds after which servers close an idle connection, which would lose a new request. */
const IDLE_MS = 4_000;
/** Advice to developers. The library prints it as plain text on standard error, with every answer of a sandbox. */
const NOTICE = 'stripe-notice';
/** Far more than a page of a list needs. */
const ANSWER_LIMIT = 16 * 1024 * 1024;

/**
 * Creates the client's HTTP transport: one exchange, without redirects, with a limit on the answer's size and on the
 * total time. The library's own transport only times out if nothing arrives: an answer of one byte now and then held
 * its call forever. Connections are shared, because a client lives for one use and would otherwise leave one open each
 * time.
 */
export function createTransport(): Stripe.HttpClient {
  const options = { keepAlive: true, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS };
  const agents = {
    plain: closingIdle(new HttpAgent(options)),
    secure: closingIdle(new HttpsAgent(options)),
  };
  return {
    getClientName: () => 'node',
    makeRequest: async (host, port, path, method, headers, body, protocol, timeoutMs) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const options = { host, port, path, method, headers, signal };
      try {
        const answer =
          protocol === 'http'
            ? await send(plain, { ...options, agent: agents.plain }, body)
            : await send(secure, { ...options, agent: agents.secure }, body);
        return responseOf(answer, signal);
      } catch (error) {
        throw signal.aborted ? Stripe.HttpClient.makeTimeoutError() : error;
      }
    },
  };
}

function send(
  request: typeof plain | typeof secure,
  options: RequestOptions,
  body: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(options)
      .once('response', resolve)
      .on('error', reject)
      // Node only closes a request that is answered with 101.
      .once('close', () => {
        reject(new Error('The connection ended without an answer.'));
      })
      .end(body);
  });
}

function responseOf(answer: IncomingMessage, signal: AbortSignal): Stripe.HttpClientResponse {
  const status = answer.statusCode ?? 0;
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined || name === NOTICE ? [] : [[name, value] as const],
  );
  return {
    getStatusCode: () => status,
    getHeaders: () => Object.fromEntries(headers),
    getRawResponse: () => answer,
    toStream: () => answer,
    toJSON: async () => objectOf(await readText(answer, signal), status),
  };
}

async function readText(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > ANSWER_LIMIT) throw new RangeError('The answer is too long.');
      chunks.push(chunk);
    }
    // An answer that continues until its connection closes also ends here.
    signal.throwIfAborted();
  } catch (error) {
    const why = signal.aborted ? Stripe.HttpClient.makeTimeoutError() : error;
    throw Stripe.HttpClient.makeResponseBodyError(why);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Parses an answer. The library treats any object without an `error` as a successful answer, whatever its status, and
 * never settles if the answer is JSON but not an object. A gateway's 503 with its own body is not an answer of the
 * provider.
 *
 * @throws SyntaxError
 */
function objectOf(text: string, status: number): object {
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) throw new SyntaxError('The answer is no object.');
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess && !('error' in body)) throw new SyntaxError(`The answer to ${status} is no error.`);
  return body;
}

/** Makes the agent close connections unused for `IDLE_MS`. The agent's own option would limit requests too. */
function closingIdle<Agent extends HttpAgent | HttpsAgent>(agent: Agent): Agent {
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  agent.keepSocketAlive = (socket: Duplex) => {
    const isKept = keep(socket);
    // The agent destroys an idle socket that times out, and sets the request's own limit when it reuses one.
    if (isKept && socket instanceof Socket) socket.setTimeout(IDLE_MS);
    return isKept;
  };
  return agent;
}
