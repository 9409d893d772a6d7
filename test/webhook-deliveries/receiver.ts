import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as the receiver got it. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

type Behavior = (response: ServerResponse, request: IncomingMessage, socket: Socket) => void;

/** A webhook receiver with a configurable answer. */
export class Receiver {
  readonly received: Received[] = [];
  /** Handles a request; answers 200 by default. */
  answer: Behavior = (response) => {
    response.end('ok');
  };
  private readonly sockets = new Set<Socket>();
  connections = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param port 0 for a free one */
  static async start(port = 0): Promise<Receiver> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new Receiver(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => {
      receiver.connections += 1;
      receiver.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => receiver.sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        receiver.received.push({
          path: request.url ?? '',
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString('utf8'),
        });
        receiver.answer(response, request, request.socket);
      });
    });
    return receiver;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Returns the ids of the received messages in order of arrival. */
  ids(path?: string): string[] {
    const wanted = this.received.filter((one) => path === undefined || one.path === path);
    return wanted.map(({ headers }) => headers['webhook-id'] ?? '');
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
