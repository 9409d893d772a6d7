import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net';
import { connectionRefusal } from '../http/connection-refusal';
import type { RequestHandler } from '../http/direct-routes';
import { holdInvitation } from '../http/expect-continue';
import { RequestsUnderWay } from './requests-under-way';

/** An open port. */
export interface Listener {
  /** The port in use, chosen by the system if 0 was requested. */
  port: number;
  /** Adds `Connection: close` to every answer from now on. Requests are still accepted. */
  drain(): void;
  /**
   * Stops accepting connections, finishes accepted requests, even those whose caller has disconnected, and closes idle
   * connections.
   *
   * @param lingerMs how long idle connections stay open first, because a request may be in transit
   */
  close(lingerMs?: number): Promise<void>;
}

/** How long requests in progress may take after the server stops accepting. */
const DRAIN_TIMEOUT_MS = 15_000;
/** A client that reads nothing of its answer for this long is disconnected, because the answer is kept in memory. */
const STALLED_MS = 60_000;
const SWEEP_INTERVAL_MS = 50;

/**
 * Open connections. An entry lives as long as its connection, because a set that changes with each request keeps old
 * requests alive past the young generation, and doubles the work of the garbage collector.
 */
type Connections = Map<Socket, Connection>;

interface Connection {
  /** Response to the last request; null once it is sent, unless it is so large that its client was still reading. */
  answer: ServerResponse | null;
  /** Number of requests being handled: more than one if the client does not wait for answers. */
  underWay: number;
  /** Whether it ends after that response, because the data that followed is not a request. */
  isEnding: boolean;
}

/**
 * Serves one host on a port (0: any free one), with timeouts that limit slow senders and readers.
 *
 * @param handle answers a request, and never rejects
 * @param publicUrl base URL of the host's `/docs/errors`
 * @param stalledMs how long a client may read nothing of an answer, for tests
 */
export async function listen(
  handle: RequestHandler,
  host: string,
  port: number,
  publicUrl: string,
  stalledMs = STALLED_MS,
): Promise<Listener> {
  const connections: Connections = new Map();
  const underWay = new RequestsUnderWay();
  let draining = false;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) {
      connection.answer = response;
      connection.underWay += 1;
    }
    if (draining) response.setHeader('Connection', 'close');
    underWay.begin();
    void handle(request, response).then(() => {
      underWay.end();
      // A stream has not ended, and limits its reader itself.
      if (response.writableEnded && response.writableLength > 0) {
        response.setTimeout(stalledMs, () => response.destroy());
      }
      if (connection === undefined) return;
      connection.underWay -= 1;
      // The last bytes of a large answer are sent after its request was handled.
      if (connection.underWay === 0 && connection.answer?.writableFinished === true) connection.answer = null;
    });
  };
  const server = createServer(
    // Node checks the timeouts once per `connectionsCheckingInterval`.
    {
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      // Node's own refusal has no body. Ours (`isHostUnclear`) is a problem.
      requireHostHeader: false,
    },
    answer,
  );
  // Node would drop the headers after the thousandth, such as the address that a proxy adds. Their size is limited.
  server.maxHeadersCount = 0;
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    holdInvitation(request, response);
    answer(request, response);
  });
  // Unknown expectations are ignored, as RFC 9110 allows.
  server.on('checkExpectation', answer);
  server.on('connection', (socket) => {
    connections.set(socket, { answer: null, underWay: 0, isEnding: false });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket);
    if (connection !== undefined && socket.writable && endAfterAnswers(connection, socket)) return;
    // A second request under way means that the refusal would be read as the answer to the first. Once the headers of a
    // response are sent, more bytes would be read as its body.
    const isFree = connection === undefined || connection.underWay < 2;
    const hasBegun = connection?.answer?.headersSent === true && !connection.answer.writableFinished;
    if (socket.writable && isFree && !hasBegun) {
      socket.write(connectionRefusal(error.code, publicUrl));
    }
    socket.destroy();
  });
  // Node has let go of this socket: without a listener, its error would end the process. Earlier answers are cut off.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const answer = connections.get(socket)?.answer ?? null;
    socket.on('error', () => undefined);
    if (answer === null || answer.writableFinished) socket.write(connectionRefusal('CONNECT', publicUrl));
    socket.destroy();
  });
  await waitUntilListening(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      draining = true;
      for (const { answer: begun } of connections.values()) {
        if (begun?.headersSent === false) begun.setHeader('Connection', 'close');
      }
    },
    close: (lingerMs = 0) => close(server, connections, underWay, lingerMs),
  };
}

/**
 * Ends a connection after the answers to its requests, if what was refused came after them. The refusal would be read
 * as the answer to one of them, although it is carried out.
 *
 * @returns false if the last request itself was refused, or if there is none
 */
function endAfterAnswers(connection: Connection, socket: Socket): boolean {
  const { answer, isEnding } = connection;
  if (answer?.req.complete !== true || answer.writableFinished) return false;
  if (isEnding) return true;
  connection.isEnding = true;
  if (answer.headersSent)
    answer.once('finish', () => {
      socket.destroySoon();
    });
  // Node then closes the connection itself.
  else answer.setHeader('Connection', 'close');
  return true;
}

function waitUntilListening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(
  server: Server,
  connections: Connections,
  underWay: RequestsUnderWay,
  lingerMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const sweep = (): void => {
      server.closeIdleConnections();
      // Node does not count a connection as idle before its first request.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    };
    let sweeping: NodeJS.Timeout | undefined;
    const linger = setTimeout(() => {
      sweep();
      // A busy connection becomes idle after its answer, and would stay open for the keep-alive timeout.
      sweeping = setInterval(sweep, SWEEP_INTERVAL_MS);
    }, lingerMs);
    const deadline = setTimeout(() => {
      server.closeAllConnections();
      underWay.giveUp();
    }, lingerMs + DRAIN_TIMEOUT_MS);
    // The HTTP server's own `close` would cut idle connections at once.
    TcpServer.prototype.close.call(server, () => {
      clearTimeout(linger);
      clearInterval(sweeping);
      // Requests of disconnected callers still need the resources that the process closes next.
      void underWay.ended().then(() => {
        clearTimeout(deadline);
        resolve();
      });
    });
  });
}
