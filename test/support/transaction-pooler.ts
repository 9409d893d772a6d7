import { createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { listenLocally } from './listen-locally';

export interface TransactionPooler {
  /** A connection URL that goes through the pooler. */
  url: string;
  stop(): Promise<void>;
}

const AUTHENTICATION_OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const TERMINATE = 0x58;

/**
 * Starts a stand-in for PgBouncer in transaction mode with one server connection: every client's transactions run in
 * the same session, one client after the other.
 *
 * @param url of the database behind it
 */
export async function startTransactionPooler(url: string): Promise<TransactionPooler> {
  const session = new Client({ connectionString: url });
  session.on('error', () => undefined);
  await session.connect();
  const { stream } = (session as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  let asking: Socket | undefined;
  stream.on('data', (bytes: Buffer) => asking?.write(bytes));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      // The startup message; every client is accepted.
      socket.write(Buffer.concat([AUTHENTICATION_OK, READY]));
      socket.on('data', (bytes: Buffer) => {
        // The end of a client does not end the session.
        if (bytes[0] === TERMINATE) {
          socket.end();
          return;
        }
        asking = socket;
        stream.write(bytes);
      });
    });
  });
  const port = await listenLocally(server);
  return {
    url: `postgres://somebody@127.0.0.1:${port}${new URL(url).pathname}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      stream.destroy();
    },
  };
}
