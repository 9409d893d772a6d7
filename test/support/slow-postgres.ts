import { createServer, type Socket } from 'node:net';
import { listenLocally } from './listen-locally';

/** Speaks as much of Postgres' protocol as it takes to connect and to send one simple query. */
export interface SlowPostgres {
  url: string;
  /** Open connections. */
  sockets: ReadonlySet<Socket>;
  /** Called with each connection that has sent a query. Until it is set, a query is answered with `false`. */
  onQuery: ((socket: Socket) => void) | undefined;
  /** Whether connections are let in; otherwise they are accepted, and nothing answers. */
  answers: boolean;
  stop(): Promise<void>;
}

export async function startSlowPostgres(): Promise<SlowPostgres> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let isStarted = false;
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      if (!postgres.answers) return;
      if (!isStarted) {
        isStarted = true;
        socket.write(Buffer.concat([AUTHENTICATED, READY]));
      } else if (bytes.toString('latin1', 0, 1) === 'Q') {
        if (postgres.onQuery === undefined) answerFalse(socket);
        else postgres.onQuery(socket);
      }
    });
  });
  const port = await listenLocally(server);
  const postgres: SlowPostgres = {
    url: `postgres://tollgate@127.0.0.1:${port}/tollgate`,
    sockets,
    onQuery: undefined,
    answers: true,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return postgres;
}

/** Answers a query with one row of one column, `standby`. */
export function answerFalse(socket: Socket): void {
  const column = Buffer.from(
    '0001 7374616e64627900 00000000 0000 00000010 0001 ffffffff 0000'.replaceAll(' ', ''),
    'hex',
  );
  const row = Buffer.from('0001 00000001 66'.replaceAll(' ', ''), 'hex');
  socket.write(
    Buffer.concat([message('T', column), message('D', row), message('C', Buffer.from('SELECT 1\0')), READY]),
  );
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
