import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net';
import type Koa from 'koa';
import { connectionRefusal } from '../http/connection-refusal';
import { holdInvitation } from '../http/expect-continue';

/** An open port. */
export interface Listener {
  /** The port in use, also where 0 was asked for. */
  port: number;
  /** From now on each answer says `Connection: close`, so that callers go on by another connection. Still accepts. */
  drain(): void;
  /**
   * Stops accepting, answers what was accepted, and closes the connections on which nothing happens.
   *
   * @param lingerMs how long an idle connection stays open first: a request may be on its way on it
   */
  close(lingerMs?: number): Promise<void>;
}

/** How long an answer that is under way may take once nothing more is accepted. */
const FINISH_MS = 15_000;
const SWEEP_MS = 50;

/**
 * Each open connection, with what is being answered on it, one request at a time. The entries last as long as their
 * connections: a set that changed with each request would leave tables behind which keep old requests from being
 * collected while they are young, and that doubles the work of the garbage collector.
 */
type Connections = Map<Socket, { answer: ServerResponse | null }>;

/**
 * Opens a Koa application on a port (0: any free one), with time-outs that a slow sender cannot stretch.
 *
 * @param publicUrl where the host's `/docs/errors` opens
 */
export async function listen(app: Koa, host: string, port: number, publicUrl: string): Promise<Listener> {
  const handle = app.callback();
  const connections: Connections = new Map();
  let draining = false;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.answer = response;
    if (draining) response.setHeader('Connection', 'close');
    // Koa answers every failure itself, so that this is never rejected.
    void handle(request, response).then(() => {
      if (connection?.answer === response) connection.answer = null;
    });
  };
  const server = createServer(
    // The time-outs are looked at as often as the last says.
    {
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    answer,
  );
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    holdInvitation(request, response);
    answer(request, response);
  });
  // What else somebody expects is nothing that we know; RFC 9110 lets us answer as if it were not there.
  server.on('checkExpectation', answer);
  server.on('connection', (socket) => {
    connections.set(socket, { answer: null });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // What is written in the middle of an answer would be taken for a part of it.
    if (socket.writable && connections.get(socket)?.answer?.headersSent !== true) {
      socket.write(connectionRefusal(error.code, publicUrl));
    }
    socket.destroy();
  });
  await opened(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      draining = true;
      for (const { answer: begun } of connections.values()) {
        if (begun?.headersSent === false) begun.setHeader('Connection', 'close');
      }
    },
    close: (lingerMs = 0) => close(server, connections, lingerMs),
  };
}

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server, connections: Connections, lingerMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = (): void => {
      server.closeIdleConnections();
      // One on which nothing has come yet does not count as idle there.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    };
    let sweeping: NodeJS.Timeout | undefined;
    const linger = setTimeout(() => {
      sweep();
      // A busy connection falls idle after its answer, and would otherwise stay open for the keep-alive time.
      sweeping = setInterval(sweep, SWEEP_MS);
    }, lingerMs);
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, lingerMs + FINISH_MS);
    // The close of an HTTP server would cut the idle connections at once.
    TcpServer.prototype.close.call(server, () => {
      clearTimeout(linger);
      clearInterval(sweeping);
      clearTimeout(deadline);
      resolve();
    });
  });
}
