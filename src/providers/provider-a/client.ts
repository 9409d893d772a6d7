import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import Stripe from 'stripe';
import { timeoutOf } from '../call-timeout';
import type { ConnectionAccess } from '../connection-access';

/** Below the five seconds after which servers close an idle connection; a request that meets the closing is lost. */
const IDLE_MS = 4_000;

/** Shared, so that a client, which lives for one use, does not leave a connection behind each time. */
const http = {
  plain: readingObjects(Stripe.createNodeHttpClient(closingIdle(new HttpAgent({ keepAlive: true })))),
  secure: readingObjects(Stripe.createNodeHttpClient(closingIdle(new HttpsAgent({ keepAlive: true })))),
};

/** Thrown before anything is sent. */
export class IncompleteConnectionError extends Error {
  override readonly name = 'IncompleteConnectionError';
}

/**
 * A client with the connection's own key, and its own address where it has one. It tries nothing again by itself: the
 * caller knows whether that is safe.
 *
 * @throws IncompleteConnectionError when the connection has no secret key
 */
export function clientFor(access: ConnectionAccess): Stripe {
  const { secretKey } = access.secrets;
  if (!secretKey) throw new IncompleteConnectionError('The connection has no secret key.');
  const options = { maxNetworkRetries: 0, telemetry: false, timeout: timeoutOf(access) };
  if (access.baseUrl === undefined) return new Stripe(secretKey, { ...options, httpClient: http.secure });
  const { hostname, port, protocol } = new URL(access.baseUrl);
  const secure = protocol === 'https:';
  return new Stripe(secretKey, {
    ...options,
    host: hostname,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    protocol: secure ? 'https' : 'http',
    httpClient: secure ? http.secure : http.plain,
  });
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

/** The library never settles, and throws outside its promise, when an answer is JSON but no object. */
function readingObjects(client: Stripe.HttpClient): Stripe.HttpClient {
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => {
      const response = await client.makeRequest(...request);
      const read = response.toJSON.bind(response);
      response.toJSON = async () => {
        const body: unknown = await read();
        if (typeof body === 'object' && body !== null) return body;
        throw new SyntaxError('The answer is no object.');
      };
      return response;
    },
  };
}
