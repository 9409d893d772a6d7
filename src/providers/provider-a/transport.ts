import { Agent as HttpAgent, request as plain, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as secure } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import Stripe from 'stripe';

/** Below the five seconds after which servers close an idle connection; a request that meets the closing is lost. */
const IDLE_MS = 4_000;
/** Many times what a page of a list has. */
const ANSWER_LIMIT = 16 * 1024 * 1024;

/**
 * What the client sends by: one exchange, without redirects, with an end to what is read and to the whole of the wait.
 * The client's own ends the wait only where nothing comes at all: an answer of a byte now and then held its call for
 * ever. Connections are shared, so that a client, which lives for one use, does not leave one behind each time.
 */
export function createTransport(): Stripe.HttpClient {
  const agents = {
    plain: closingIdle(new HttpAgent({ keepAlive: true })),
    secure: closingIdle(new HttpsAgent({ keepAlive: true })),
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
    request(options).once('response', resolve).on('error', reject).end(body);
  });
}

function responseOf(answer: IncomingMessage, signal: AbortSignal): Stripe.HttpClientResponse {
  const status = answer.statusCode ?? 0;
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
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
    // What goes on until its connection closes ends like this, too.
    signal.throwIfAborted();
  } catch (error) {
    const why = signal.aborted ? Stripe.HttpClient.makeTimeoutError() : error;
    throw Stripe.HttpClient.makeResponseBodyError(why);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The library takes every object without an `error` for the answer to what was asked, whatever its status, and never
 * settles where the answer is JSON but no object. A gateway's 503 in words of its own is no answer of the provider's.
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

/** The agent closes connections that nothing used for `IDLE_MS`. Its own option would limit requests too. */
function closingIdle<Agent extends HttpAgent | HttpsAgent>(agent: Agent): Agent {
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  agent.keepSocketAlive = (socket: Duplex) => {
    const isKept = keep(socket);
    // The agent destroys an idle socket that times out, and sets a request's own limit when it uses one again.
    if (isKept && socket instanceof Socket) socket.setTimeout(IDLE_MS);
    return isKept;
  };
  return agent;
}
