import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenLocally } from '../test/support/listen-locally';

/** One of the processes behind the proxy. */
interface Backend {
  url: string;
  ready: boolean;
}

/** A load balancer on loopback that polls `/readyz`, keeps connections alive, and retries nothing. */
export interface ReadinessProxy {
  url: string;
  /** Routes requests to a process once it is ready. */
  add(url: string): void;
  /** Returns whether a process currently receives requests. */
  isReady(url: string): boolean;
  /** Removes a process that has ended. */
  remove(url: string): void;
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 500;
/** Longer than any pause of a loaded machine: a process that answers late is not taken out of rotation. */
const POLL_TIMEOUT_MS = 30_000;

export async function startReadinessProxy(): Promise<ReadinessProxy> {
  const backends = new Map<string, Backend>();
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  let turn = 0;

  // Only the caller closes its connections: one that the proxy closes while a request is in transit resets it.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const ready = [...backends.values()].filter((backend) => backend.ready);
    turn += 1;
    const backend = ready[turn % Math.max(1, ready.length)];
    if (backend === undefined) outgoing.writeHead(502).end('no process is ready');
    else forward(agent, backend.url, incoming, outgoing);
  });
  const port = await listenLocally(server);

  const looking = setInterval(() => {
    for (const backend of backends.values()) {
      void readiness(backend.url).then((ready) => (backend.ready = ready ?? backend.ready));
    }
  }, POLL_INTERVAL_MS);

  return {
    url: `http://127.0.0.1:${port}`,
    add: (url) => void backends.set(url, { url, ready: false }),
    isReady: (url) => backends.get(url)?.ready ?? false,
    remove: (url) => void backends.delete(url),
    stop: async () => {
      clearInterval(looking);
      agent.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
    },
  };
}

/**
 * Asks a process whether it is ready. A single answer that it is draining, or none, takes it out of rotation.
 *
 * @returns undefined if it only reaches its database too slowly, as all processes do at the same time on a loaded
 *   machine: without any in rotation, requests would fail
 */
async function readiness(url: string): Promise<boolean | undefined> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(POLL_TIMEOUT_MS) });
    const { status } = (await answer.json()) as { status: string };
    return status === 'not_ready' ? undefined : status === 'ready';
  } catch {
    return false;
  }
}

function forward(agent: Agent, url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const sent = request(`${url}${incoming.url ?? '/'}`, { agent, method, headers }, (answer) => {
    // These two headers concern the connection behind the proxy, not the one in front of it (RFC 9110, section 7.6.1).
    const { connection: _connection, 'keep-alive': _keepAlive, ...headersOfAnswer } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, headersOfAnswer);
    answer.on('error', () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  sent.on('error', (error: NodeJS.ErrnoException) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(error.code ?? error.message);
  });
  incoming.pipe(sent);
}
